// The clocks of clients, as the control page sets and shows them.
#pragma once

#include "control/control_page.hpp"
#include "nemesis/capabilities/client_clocks.hpp"

namespace holdfast {

class LabClientClocks : public ClientClocks {
 public:
  explicit LabClientClocks(ControlPage& page) : page_(page) {}

  void set_offset(std::uint32_t client, std::int64_t ns) override { page_.clients.at(client).wall_offset_ns.store(ns); }
  std::int64_t offset_seen_ns(std::uint32_t client) const override {
    return page_.clients.at(client).wall_observed_ns.load();
  }
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
