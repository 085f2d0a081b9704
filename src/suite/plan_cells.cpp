// Which cells a run has: every lock of every scenario, or those that were asked for.
#include <algorithm>

#include "artifact/error.hpp"
#include "artifact/json_text.hpp"
#include "suite/check_names.hpp"
#include "suite/lock_plan.hpp"
#include "suite/suite.hpp"

namespace holdfast {
namespace {

bool matches(const std::string& pattern, const std::string& lock, const std::string& scenario) {
  const auto slash = pattern.find('/');
  const std::string wanted_lock = pattern.substr(0, slash);
  const std::string wanted_scenario = slash == std::string::npos ? "*" : pattern.substr(slash + 1);
  return (wanted_lock == "*" || wanted_lock == lock) && (wanted_scenario == "*" || wanted_scenario == scenario);
}

bool wanted(const SuiteOptions& options, const std::string& lock, const std::string& scenario) {
  return options.only.empty() || std::any_of(options.only.begin(), options.only.end(),
                                             [&](const auto& p) { return matches(p, lock, scenario); });
}

std::string nearest_cell(const std::string& pattern, const SuiteOptions& options) {
  const bool lock_only = pattern.find('/') == std::string::npos;
  std::vector<std::string> names;
  for (const auto& scenario : options.scenarios) {
    for (const auto& lock : scenario.locks) names.push_back(lock_only ? lock : lock + "/" + scenario.name);
  }
  return nearest(pattern, names);
}

// A pattern that matches nothing is a slip of the pen, even where another one matches.
void check_patterns(const SuiteOptions& options, const std::vector<Cell>& cells) {
  for (const auto& pattern : options.only) {
    if (std::any_of(cells.begin(), cells.end(), [&](const Cell& c) { return matches(pattern, c.lock, c.scenario); })) {
      continue;
    }
    const std::string near = nearest_cell(pattern, options);
    throw BadInput("--only " + pattern + " matches no cell" + (near.empty() ? "" : " (did you mean '" + near + "'?)") +
                   "; cells are LOCK/SCENARIO, either may be *; remedy: holdfast plan SUITE lists them");
  }
}

// A cell is the name of its trials' folder. Two scenarios of one name are one column, as long as their locks differ.
void check_twice(const std::vector<Cell>& cells, const Scenario& scenario, const std::string& lock) {
  if (std::none_of(cells.begin(), cells.end(),
                   [&](const Cell& c) { return c.lock == lock && c.scenario == scenario.name; })) {
    return;
  }
  scenario.source.refuse("a second cell " + lock + "/" + scenario.name + "; give this file another name");
}

}  // namespace

const Scenario& scenario_of(const SuiteOptions& options, const Cell& cell) {
  return *std::find_if(options.scenarios.begin(), options.scenarios.end(), [&cell](const Scenario& s) {
    return s.name == cell.scenario && std::find(s.locks.begin(), s.locks.end(), cell.lock) != s.locks.end();
  });
}

std::vector<Cell> plan_cells(const SuiteOptions& options) {
  std::vector<Cell> cells;
  for (const auto& scenario : options.scenarios) {
    check_names(scenario);
    for (const auto& lock : scenario.locks) {
      if (!wanted(options, lock, scenario.name)) continue;
      check_twice(cells, scenario, lock);
      Cell cell;
      cell.lock = lock;
      cell.scenario = scenario.name;
      cell.suite = scenario.suite;
      cell.expected = scenario.expected_of(lock);
      cell.why = scenario.why_of(lock);
      const std::string rounded = told_rounding(lock, scenario.settings_of(lock).load);
      if (!rounded.empty()) cell.why += (cell.why.empty() ? "" : " ") + rounded;
      cells.push_back(cell);
    }
  }
  check_patterns(options, cells);
  return cells;
}

}  // namespace holdfast
