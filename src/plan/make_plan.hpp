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

// Returns the seed of one trial of a cell.
std::uint64_t trial_seed(std::uint64_t run_seed, const std::string& lock, const std::string& scenario, int trial);

// Returns the seed for all cells that share their random choices under this name.
std::uint64_t named_seed(std::uint64_t run_seed, const std::string& name, int trial);

// Makes the plan of one trial, counted from 1.
Plan make_plan(const Scenario& scenario, const std::string& lock, std::uint64_t run_seed, int trial);

// Makes the plan of the cell's control: the same seed, with the lock and settings that the scenario gives its control.
// Throws HarnessError if the cell has none.
Plan make_control_plan(const Scenario& scenario, const std::string& lock, std::uint64_t run_seed, int trial);

// Returns the plan as if the scenario did not have these faults.
Plan without_faults(Plan plan, const std::vector<std::string>& faults);

}  // namespace holdfast
