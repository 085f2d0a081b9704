// Scenario + lock + seed -> plan. Pure: no clock, no input or output, so the same arguments always give the same plan.
//
//   Plan plan = make_plan(scenario, "insert_lease", 42, 1);
//
// The seed of a cell is derived from its name, so that a run of one cell alone repeats the plan it had in a full run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "artifact/plan.hpp"

namespace holdfast {

std::uint64_t trial_seed(std::uint64_t run_seed, const std::string& lock, const std::string& scenario, int trial);

// Of several cells that are to make the same random choices: one name for all of them.
std::uint64_t named_seed(std::uint64_t run_seed, const std::string& name, int trial);

Plan make_plan(const Scenario& scenario, const std::string& lock, std::uint64_t run_seed, int trial);

// The same plan, of the same seed, but for what the cell's paired control changes.
Plan make_control_plan(const Scenario& scenario, const std::string& lock, std::uint64_t run_seed, int trial);

// The same plan without these faults, as if the scenario had not had them.
Plan without_faults(Plan plan, const std::vector<std::string>& faults);

}  // namespace holdfast
