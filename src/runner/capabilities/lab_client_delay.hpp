// Delays on a client's node, by the kernel's netem.
#pragma once

#include "nemesis/capabilities/client_delay.hpp"
#include "runner/capabilities/lab_probe.hpp"
#include "runner/client_roster.hpp"

namespace holdfast {

class LabClientDelay : public ClientDelay {
 public:
  LabClientDelay(ClientRoster& roster, TrialLab& lab) : roster_(roster), lab_(lab) {}

  bool delay(std::uint32_t client, std::int64_t ms) override { return lab_.network().delay(roster_.node(client), ms); }
  std::int64_t round_trip_ns(std::uint32_t client) const override {
    return probe(roster_.node(client), kLockAddress, lab_.lock_server().readiness(), 10 * kProbe_ms);
  }

 private:
  ClientRoster& roster_;
  TrialLab& lab_;
};

}  // namespace holdfast
