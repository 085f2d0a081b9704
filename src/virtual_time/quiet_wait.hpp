// Lets a program of a lab in virtual time wait until the whole lab is quiet: every other thread waits and no byte is in
// flight. Instead of advancing the clock, the timekeeper wakes the program, so no time passes meanwhile.
//
//   QuietWait quiet;                              // throws HarnessError outside of virtual time
//   quiet.let_work_take_no_time();                // from then on time passes only while all threads wait
//   const std::int64_t next = quiet.wait();       // the next deadline of any thread
//
// Only one thread of a lab may use it at a time.
#pragma once

#include <cstdint>

namespace holdfast {

struct ClockPageData;

class QuietWait {
 public:
  QuietWait();

  std::int64_t wait();  // the earliest deadline on the lab's CLOCK_MONOTONIC; kNever_ns (wait_end.hpp): none
  void let_work_take_no_time();
  std::int64_t host_ns() const;  // the host's CLOCK_MONOTONIC at the end of the last wait

 private:
  ClockPageData* page_;
};

}  // namespace holdfast
