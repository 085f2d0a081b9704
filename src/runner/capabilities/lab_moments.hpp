// The points in the clients' work, as triggers of the control page.
#pragma once

#include "control/control_page.hpp"
#include "nemesis/capabilities/moments.hpp"
#include "nemesis/capabilities/trial_time.hpp"

namespace holdfast {

Order order_of(Release how);

class LabMoments : public Moments {
 public:
  LabMoments(ControlPage& page, const TrialTime& time) : page_(page), time_(time) {}

  void arm(const Moment& at, const std::string& whom, std::size_t trigger_number) override;
  std::optional<std::uint32_t> wait_arrival(std::size_t trigger_number) override;
  bool arrived(std::size_t trigger_number, std::int64_t within_ms) override;
  void release(std::size_t trigger_number, Release how) override;

 private:
  ControlPage& page_;
  const TrialTime& time_;
};

}  // namespace holdfast
