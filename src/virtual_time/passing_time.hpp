// Time that passes because programs work: by the processor time of whoever is seen to have run, never by more than has
// passed on the host since, where several worked side by side.
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
