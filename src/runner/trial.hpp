// Carries out one plan, inside a lab: network, server, tables, clients, nemesis, final phase, history. This is the
// `holdfast trial` process; launch.hpp starts it from outside.
//
// A trial has a load phase (duration_ms), then everything is healed, then a final phase, in which progress is judged:
// it lasts until every key was granted again, or until a stuck key is beyond its bound.
#pragma once

#include <optional>
#include <string>

#include "nemesis/nemesis.hpp"
#include "servers/target.hpp"

namespace holdfast {

// Reads folder/plan.json, writes folder/history.jsonl and folder/facts.json. Throws HarnessError or Unavailable.
// `target`: the lock's server is the user's own, and names of ours there begin with its prefix.
void run_trial(const std::string& folder, Sabotage sabotage, const std::optional<Target>& target);

}  // namespace holdfast
