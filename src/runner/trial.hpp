// One trial, inside its lab, and the length of its final phase.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "artifact/plan.hpp"
#include "artifact/time_mode.hpp"
#include "control/control_page.hpp"
#include "lock/lock.hpp"
#include "nemesis/nemesis.hpp"
#include "servers/target.hpp"

namespace holdfast {

// The final phase of a trial, after all faults are healed: its length, and the evidence that the lock works again.
//
// It begins when everything is healed and a client waits, because progress is judged only while a client waits. It ends
// when every key has been granted again, or when the bound is over.

// Maximum time that a correct lock may need for a new grant, plus a margin.
std::int64_t final_phase_ns(const Plan& plan, const LockType& type);

// Carries out one plan inside a lab: network, server, tables, clients, nemesis, final phase, history. This is the
// `holdfast trial` process; launch_lab.hpp starts it from outside.
//
// A trial has a load phase (duration_ms), then all faults are healed, then a final phase, in which progress is judged:
// until every key was granted again, or until a stuck key is beyond its bound.

// Reads folder/plan.json, writes folder/history.jsonl and folder/facts.json. Throws HarnessError or Unavailable.
struct TrialOrder {
  std::string folder;
  TimeMode time = TimeMode::real;  // time mode of this process
  Sabotage sabotage = {};
  std::optional<Target> target = {};  // the lock's server is the user's own; names created there begin with its prefix
  std::vector<std::string> hosts = {};  // clients' programs run there: the target as reached from each, or "-"
};
void run_trial(const TrialOrder& order);

}  // namespace holdfast
