// Clients that do no statement of their lock without being given a turn.
#pragma once

#include <cstdint>

#include "nemesis/capabilities/any_capability.hpp"
#include "nemesis/capabilities/moments.hpp"

namespace holdfast {

struct GatedClient {
  bool on = false;
  bool stands = false;         // it waits for a turn
  std::uint32_t begun = 0;     // statements so far
  std::uint32_t answered = 0;  // of these; fewer: it is in one
};

class StatementGate : public CapabilityOf<Capability::statement_gate> {
 public:
  virtual void gate(std::uint32_t client, bool on) = 0;
  virtual void give_turn(std::uint32_t client, Release how) = 0;
  virtual GatedClient gated(std::uint32_t client) const = 0;
};

}  // namespace holdfast
