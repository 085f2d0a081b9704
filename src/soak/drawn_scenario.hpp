// Random plans within a scenario's bounds, and smaller ones: what a soak runs, and how it shrinks what it found.
//
//   nlohmann::json drawn = drawn_scenario(scenario, "redis_token", 42);    // the same for the same seed
//   for (const auto& smaller : smaller_scenarios(drawn)) ...               // the largest step first
//
// The bounds are those of the scenario: no more clients than it has, none of its faults longer or later than its load
// allows, moments of the same kind. What is drawn: how many clients; which of the faults, each once at most;
// when each strikes (a time, which passing of a point, before or after it is sent) and for how long; how long holders
// hold. A fault is optional there: that its moment never comes is no error, and is counted.
//
// Nobody expects a flaw that the scenario does not name: what it expects to be violated is allowed, of these kinds and
// no other, and all else that the lock promises must hold.
//
// Pure: no clock and no file.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "artifact/scenario.hpp"

namespace holdfast {

// Of one lock; has its own settings and faults, and no control. Not every one makes sense (read_scenario says).
nlohmann::json drawn_scenario(const Scenario& scenario, const std::string& lock, std::uint64_t seed);

// Each differs in one thing: a fault less, fewer clients, a shorter fault, a shorter load. None: nothing is left to
// take away.
std::vector<nlohmann::json> smaller_scenarios(const nlohmann::json& scenario);

// In words, of what it has: "3 clients, 1 fault (pause for 1200 ms), 5000 ms".
std::string size_of_scenario(const nlohmann::json& scenario);

}  // namespace holdfast
