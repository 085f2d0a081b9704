// The clock of a lab in virtual time: two memory pages at the same address in every program of the lab. One has the
// time, which only the timekeeper changes; the other has the code that reads it, to which the program's vDSO jumps
// (clocked_program.hpp). So one store changes the clocks of all programs at once, and a forked child has the clock.
//
//   LabClock clock;                 // begins an hour ahead of the host's
//   clock.advance_to(clock.now_ns() + 2 * kSecond_ns);
//
// Time advances by skips and by the programs' processor time, never by the host's clock. Between two changes it is
// constant, except for one nanosecond per reading. It starts an hour ahead so that the kernel, which compares with its
// own clock, never ends a wait for an absolute time. The wall clock is ahead by the same amount.
#pragma once

#include <cstddef>
#include <cstdint>

namespace holdfast {

struct ClockPageData;  // clock_page.hpp

inline constexpr std::uint64_t kClockPage = 0x2f0000000000;
inline constexpr std::uint64_t kClockCode = kClockPage + 4096;
inline constexpr std::size_t kClockBytes = 4096;  // of each of the two

// Returns true for ids of the wall clock. Clocks of processor time are neither.
bool is_wall_clock(std::uint64_t id);

class LabClock {
 public:
  LabClock();  // throws HarnessError; Unavailable if there is no code for this machine
  ~LabClock();
  LabClock(const LabClock&) = delete;
  LabClock& operator=(const LabClock&) = delete;

  std::int64_t now_ns() const;                 // CLOCK_MONOTONIC and related clocks
  std::int64_t read_ns();                      // the same, as a program reads it
  std::int64_t wall_ahead_ns() const;          // of the monotonic clock
  void advance_to(std::int64_t monotonic_ns);  // never goes back: an earlier time is ignored
  bool work_takes_no_time() const;  // processor time does not advance it, as requested by a program of the lab
  // Wakes the program that waits for quiet with the earliest deadline. Returns false if none waits.
  bool tell_quiet(std::int64_t next_ns);
  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
  ClockPageData* data_;
};

}  // namespace holdfast
