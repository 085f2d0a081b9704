// The gate at statements, as the control page has it.
#pragma once

#include "nemesis/capabilities/statement_gate.hpp"
#include "runner/capabilities/lab_moments.hpp"

namespace holdfast {

class LabStatementGate : public StatementGate {
 public:
  explicit LabStatementGate(ControlPage& page) : page_(page) {}

  void gate(std::uint32_t client, bool on) override { holdfast::gate(page_.clients.at(client).gated, on); }
  void give_turn(std::uint32_t client, Release how) override {
    holdfast::give_turn(page_.clients.at(client).gated, order_of(how));
  }
  GatedClient gated(std::uint32_t client) const override {
    const Gate& seen = page_.clients.at(client).gated;
    return {seen.on.load() != 0, seen.stands.load() != 0, seen.begun.load(), seen.answered.load()};
  }

 private:
  ControlPage& page_;
};

}  // namespace holdfast
