// Scenario + lock + seed -> plan. Pure: uses no clock, input or output, so equal arguments give equal plans.
//
//   Plan plan = make_plan(scenario, "insert_lease", 42, 1);
//
// A cell's seed is derived from its name, so running one cell alone repeats its plan from the full run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "artifact/plan.hpp"

namespace holdfast {

std::uint64_t trial_seed(std::uint64_t run_seed, const std::string& lock, const std::string& scenario, int trial);

// Returns the seed for several cells that share the same random choices under one name.
std::uint64_t named_seed(std::uint64_t run_seed, const std::string& name, int trial);

Plan make_plan(const Scenario& scenario, const std::string& lock, std::uint64_t run_seed, int trial);

// Makes the cell's plan with the changes of its paired control applied.
Plan make_control_plan(const Scenario& scenario, const std::string& lock, std::uint64_t run_seed, int trial);

// The same plan without these faults, as if the scenario did not have them.
Plan without_faults(Plan plan, const std::vector<std::string>& faults);

}  // namespace holdfast
