// The gate at statements, as the control page has it.
#pragma once

#include "nemesis/capabilities/statement_gate.hpp"
#include "runner/capabilities/lab_moments.hpp"

namespace holdfast {

class LabStatementGate : public StatementGate {
 public:
  explicit LabStatementGate(ControlPage& page) : page_(page) {}

  void conduct(std::uint32_t client, bool on) override { holdfast::conduct(page_.clients.at(client).conducted, on); }
  void give_turn(std::uint32_t client, Release how) override {
    holdfast::give_turn(page_.clients.at(client).conducted, order_of(how));
  }
  ConductedClient conducted(std::uint32_t client) const override {
    const Conducted& seen = page_.clients.at(client).conducted;
    return {seen.on.load() != 0, seen.stands.load() != 0, seen.begun.load(), seen.answered.load()};
  }

 private:
  ControlPage& page_;
};

}  // namespace holdfast
