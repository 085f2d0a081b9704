// Changes the wall clock of running programs in any language, in the vDSO, by which nearly all of them read it. Each
// process has its own copy of that page; clock_gettime, gettimeofday and time in it are replaced by code
// (vdso_code.hpp) with an offset that can be changed at any time.
//
//   if (const std::string why = why_no_vdso_clock(); !why.empty()) throw Unavailable(why);
//   VdsoClock clock(group);               // a process group, of programs that have started
//   clock.equip();                        // stops the group for some milliseconds
//   clock.set_offset(3'000'000'000);      // three seconds ahead in all threads, without stopping any
//   clock.read_back().wrong.empty();      // true: the pages have the offset
//
// Changes CLOCK_REALTIME, its coarse kind and CLOCK_TAI; other clocks stay right, so that sleeps and time-outs keep
// their length. A forked child keeps the clock and the offset; execve loses it, and so does a child that leaves the
// group. read_back() names the processes without it, and equip() installs it there as well.
//
// Limits: code that calls the kernel without the vDSO is not reached (raw system calls, and waits until a time of
// CLOCK_REALTIME, which the kernel measures by its own clock), nor are processes whose /proc/PID/mem is inaccessible
// (another user, set-user-ID). It proves the contents of the pages; only the program can show what it does with them.
// Readings become system calls, about ten times slower. A process with a system call filter must allow clock_gettime. A
// thread in a handler for a signal that arrived within the first five bytes of a clock function is not detected; all
// other threads there are waited for. Use one VdsoClock per group, in one thread at a time.
#pragma once

#include <sys/types.h>
#include <cstdint>
#include <string>
#include <vector>

namespace holdfast {

// Empty: it works here, as tested on a child process. Otherwise the reason and the remedy.
std::string why_no_vdso_clock();

// Processes of the group without the replaced clock.
std::vector<pid_t> without_vdso_clock(pid_t group);

struct VdsoReading {
  std::vector<pid_t> with;     // have the clock, byte for byte
  std::vector<pid_t> without;  // never equipped, or executed another program since
  std::string wrong;           // first difference between a process's offset and the set one; empty: none
};

// All functions throw HarnessError, or Unavailable with the remedy if the machine or a process does not permit it.
class VdsoClock {
 public:
  explicit VdsoClock(pid_t group) : group_(group) {}

  // Installs the clock in all processes of the group, including those with an earlier one and another offset. Call it
  // again for later processes. The group is stopped meanwhile (stopped_group.hpp) for some milliseconds, longer while a
  // thread is at a changed address; after ten seconds it fails.
  void equip();
  // Sets the offset in all processes with the clock. Throws if there are none.
  void set_offset(std::int64_t ns);
  std::int64_t offset_ns() const { return offset_ns_; }
  VdsoReading read_back() const;

 private:
  pid_t group_;
  std::int64_t offset_ns_ = 0;
};

}  // namespace holdfast
