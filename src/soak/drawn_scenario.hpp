// Random plans within a scenario's bounds, for a soak; and smaller ones, for shrinking its finds.
//
//   nlohmann::json drawn = drawn_scenario(scenario, "redis_token", 42);    // the same for the same seed
//   for (const auto& smaller : smaller_scenarios(drawn)) ...               // the largest step first
//
// The bounds are the scenario's: at most its clients, no fault longer or later than its load allows, injection points
// of the same kind. Drawn are: the number of clients; which faults, each at most once; when each strikes (a time, or
// which match of a point, before or after sending) and for how long; and how long holders hold. Faults are optional: a
// point that is never reached is counted, and is not an error.
//
// Only flaws named by the scenario are allowed: it allows the kinds of violation that the scenario expects, and
// everything else that the lock promises must hold.
//
// Pure: uses no clock or file.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "artifact/scenario.hpp"

namespace holdfast {

// For one lock, with its settings and faults and without a control. Some draws are invalid (read_scenario reports it).
nlohmann::json drawn_scenario(const Scenario& scenario, const std::string& lock, std::uint64_t seed);

// Each differs in one thing: a fault less, fewer clients, a shorter fault, a shorter load. Empty: nothing can be
// removed.
std::vector<nlohmann::json> smaller_scenarios(const nlohmann::json& scenario);

// Its size in words: "3 clients, 1 fault (pause for 1200 ms), 5000 ms".
std::string size_of_scenario(const nlohmann::json& scenario);

}  // namespace holdfast
