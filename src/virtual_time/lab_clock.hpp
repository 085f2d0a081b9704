// The clock of a lab that lives in virtual time: two pages of memory that every program of the lab has at the same
// address. One holds the time, which only the timekeeper changes; the other has the code that reads it, to which the
// program's vDSO jumps (clocked_program.hpp). So one store moves the clocks of all programs at once, and a child has
// the clock by fork.
//
//   LabClock clock;                 // begins an hour ahead of the host's
//   clock.advance_to(clock.now_ns() + 2 * kSecond_ns);
//
// Time passes by skips and by the processor time that programs use, never by the host's own clock. Between two changes
// it stands still, but for one nanosecond that each reading takes. It begins an hour ahead so that the kernel, which
// compares with its own clock, never ends a wait that lasts until a time. The wall clock is as far ahead.
#pragma once

#include <cstddef>
#include <cstdint>

namespace holdfast {

struct ClockPageData;  // clock_page.hpp

inline constexpr std::uint64_t kClockPage = 0x2f0000000000;
inline constexpr std::uint64_t kClockCode = kClockPage + 4096;
inline constexpr std::size_t kClockBytes = 4096;  // of each of the two

// Of the identities that programs use: whether it is the wall clock. Clocks of processor time are neither.
bool is_wall_clock(std::uint64_t id);

class LabClock {
 public:
  LabClock();  // throws HarnessError; Unavailable where there is no code for this machine
  ~LabClock();
  LabClock(const LabClock&) = delete;
  LabClock& operator=(const LabClock&) = delete;

  std::int64_t now_ns() const;                 // of CLOCK_MONOTONIC and its kin
  std::int64_t read_ns();                      // the same, as a program reads it
  std::int64_t wall_ahead_ns() const;          // of the former
  void advance_to(std::int64_t monotonic_ns);  // never back: an earlier time changes nothing
  bool work_takes_no_time() const;             // processor time does not move it, as a program of the lab asked
  // Wakes the program that waits until all is quiet, and gives it the earliest deadline. False: none waits.
  bool tell_quiet(std::int64_t next_ns);
  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
  ClockPageData* data_;
};

}  // namespace holdfast
