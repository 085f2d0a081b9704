// The wall clock of programs in any language, set wrong while they run: in the vDSO, by which nearly all of them read
// it. Each process has a page of it of its own; clock_gettime, gettimeofday and time there are replaced by code of ours
// (vdso_code.hpp) with an offset that can be changed at any time.
//
//   if (const std::string why = why_no_vdso_clock(); !why.empty()) throw Unavailable(why);
//   VdsoClock clock(group);               // a process group, of programs that have started
//   clock.equip();                        // stops it for some milliseconds
//   clock.set_offset(3'000'000'000);      // three seconds ahead, at once, in all threads; stops nobody
//   clock.read_back().wrong.empty();      // the pages say so
//
// CLOCK_REALTIME, its coarse kind and CLOCK_TAI are moved; all others stay right, so that sleeps and time-outs take as
// long as ever. A forked child has the clock and the offset; execve loses it, and so does the child that leaves the
// group. read_back() names who has it not, and equip() gives it to those as well.
//
// What it does not do. What asks the kernel without the vDSO is not reached (raw system calls, and waits until a time
// of CLOCK_REALTIME, which the kernel counts by its own clock), nor is what has its own /proc/PID/mem closed to us
// (another user, set-user-ID). It proves what the pages say; what the program makes of it only the program can say.
// Readings are system calls, about ten times slower. A process with a filter of system calls must be allowed
// clock_gettime. A thread in a handler of a signal that came inside the first five bytes of a clock function is not
// seen; all others that stand there are waited for. One VdsoClock a group, one thread at a time.
#pragma once

#include <sys/types.h>
#include <cstdint>
#include <string>
#include <vector>

namespace holdfast {

// Empty: it works here, tried on a process of our own. Else why not, and the remedy.
std::string why_no_vdso_clock();

// Processes of the group that have it not.
std::vector<pid_t> without_vdso_clock(pid_t group);

struct VdsoReading {
  std::vector<pid_t> with;     // have the clock, byte for byte
  std::vector<pid_t> without;  // were never equipped, or have executed another program since
  std::string wrong;           // of a process that has it, how its offset differs from what was set; empty: none does
};

// All of it throws HarnessError, or Unavailable with the remedy where the machine or a process does not permit it.
class VdsoClock {
 public:
  explicit VdsoClock(pid_t group) : group_(group) {}

  // All processes of the group, those that have it already but with another offset too. To be called again for those
  // that come later. The group stands still meanwhile (stopped_group.hpp), some milliseconds, longer while a thread is
  // where the code changes; after ten seconds it gives up.
  void equip();
  // Of all that have the clock. It is an error if nobody has.
  void set_offset(std::int64_t ns);
  std::int64_t offset_ns() const { return offset_ns_; }
  VdsoReading read_back() const;

 private:
  pid_t group_;
  std::int64_t offset_ns_ = 0;
};

}  // namespace holdfast
