// How fast the clocks of clients run, as the control page sets and shows it.
#pragma once

#include "control/control_page.hpp"
#include "nemesis/capabilities/client_drift.hpp"

namespace holdfast {

class LabClientDrift : public ClientDrift {
 public:
  explicit LabClientDrift(ControlPage& page) : page_(page) {}

  void set_drift(std::uint32_t client, std::int64_t parts_per_million) override {
    ClientSlot& slot = page_.clients.at(client);
    slot.drift_since_ns.store(monotonic_ns());
    slot.drift_ppm.store(parts_per_million);
  }
  std::int64_t drift_seen_ns(std::uint32_t client) const override {
    return page_.clients.at(client).drift_observed_ns.load();
  }

 private:
  ControlPage& page_;
};

}  // namespace holdfast
