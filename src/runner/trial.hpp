// One trial, inside its lab, and how long its end is.
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

// The end of a trial, when everything is healed: how long it is, and what shows that the lock goes on.
//
// It begins when everything is healed and a client waits: progress is judged from a moment when somebody does. It ends
// when every key was granted again, to whomever, or when the bound is over.

// As long as a sound lock may need to be granted again, and a little more.
std::int64_t final_phase_ns(const Plan& plan, const LockType& type);

// Carries out one plan, inside a lab: network, server, tables, clients, nemesis, final phase, history. This is the
// `holdfast trial` process; launch_lab.hpp starts it from outside.
//
// A trial has a load phase (duration_ms), then everything is healed, then a final phase, in which progress is judged:
// it lasts until every key was granted again, or until a stuck key is beyond its bound.

// Reads folder/plan.json, writes folder/history.jsonl and folder/facts.json. Throws HarnessError or Unavailable.
struct TrialOrder {
  std::string folder;
  TimeMode time = TimeMode::real;  // that this process lives in
  Sabotage sabotage = {};
  std::optional<Target> target = {};  // the lock's server is the user's own; names of ours there begin with its prefix
  std::vector<std::string> hosts = {};  // clients' programs run there: the target as it is reached from each, or "-"
};
void run_trial(const TrialOrder& order);

}  // namespace holdfast
