// Whom there is to strike, by the roster and by what clients show of themselves.
#pragma once

#include "control/control_page.hpp"
#include "nemesis/capabilities/candidates.hpp"
#include "nemesis/capabilities/process_state.hpp"
#include "runner/client_roster.hpp"

namespace holdfast {

class LabCandidates : public Candidates {
 public:
  LabCandidates(ClientRoster& roster, const TrialLab& lab, const Plan& plan)
      : roster_(roster), lab_(lab), poll_ms_(plan.load.poll_ms) {}

  std::uint32_t clients() const override { return roster_.started(); }
  std::uint32_t servers() const override { return lab_.servers(); }
  bool gone(std::uint32_t client) const override {
    return process_state(roster_.process(client).state()) == ProcessState::gone;
  }
  Victims holders() const override {
    return roster_.where([](const ClientSlot& slot) { return slot.holding.load() > 0; });
  }
  Victims waiters() const override {
    return roster_.where([&](const ClientSlot& slot) { return waiting(slot, monotonic_ns(), poll_ms_) > 0; });
  }

 private:
  ClientRoster& roster_;
  const TrialLab& lab_;
  std::int64_t poll_ms_;
};

}  // namespace holdfast
