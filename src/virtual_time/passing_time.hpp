// Time that passes while programs work: the processor time of the threads seen to have run, limited by the time passed
// on the host, as several may have worked in parallel.
#pragma once

#include <cstdint>

#include "virtual_time/lab_clock.hpp"

namespace holdfast {

class PassingTime {
 public:
  explicit PassingTime(LabClock& clock) : clock_(clock) {}

  const LabClock& clock() const { return clock_; }
  void pass(std::int64_t used_ns, std::int64_t host_ns);  // now, by the host's clock
  std::int64_t passed_ns() const { return passed_ns_; }   // so far

 private:
  LabClock& clock_;
  std::int64_t counted_until_ns_ = 0;
  std::int64_t passed_ns_ = 0;
};

}  // namespace holdfast
