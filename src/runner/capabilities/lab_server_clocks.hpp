// The clocks of the lock's servers: set by the library that they are started with, read by asking them.
#pragma once

#include "nemesis/capabilities/server_clocks.hpp"
#include "runner/trial_lab.hpp"

namespace holdfast {

class LabServerClocks : public ServerClocks {
 public:
  explicit LabServerClocks(TrialLab& lab) : lab_(lab) {}

  void set_offset(std::uint32_t server, std::int64_t ns) override { lab_.server_clock(server).step(ns); }
  void set_drift(std::uint32_t server, std::int64_t parts_per_million) override {
    lab_.server_clock(server).drift(parts_per_million);
  }
  std::optional<ClockReading> read(std::uint32_t server) const override {
    const auto clock = lab_.lock_server(server).clock();
    if (!clock) return std::nullopt;
    const std::int64_t doubt_ns = (clock->answered_ns - clock->asked_ns) / 2;
    return ClockReading{clock->server_ns - clock->asked_ns - doubt_ns, doubt_ns + kTick_ns};
  }

 private:
  static constexpr std::int64_t kTick_ns = 5'000'000;  // a coarse clock goes in steps of some milliseconds

  TrialLab& lab_;
};

}  // namespace holdfast
