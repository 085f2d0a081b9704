// `holdfast plan`: checks scenarios and prints the plan of a cell, without running anything.
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "cli/run_flags.hpp"
#include "cli/terminal.hpp"
#include "plan/make_plan.hpp"
#include "suite/suite.hpp"
#include "suite/trial_job.hpp"

namespace holdfast {
namespace {

struct PlanFlags {
  std::vector<std::string> paths;
  std::vector<std::string> only;
  std::uint64_t seed = 1;
  ServerFlags named;  // its adapters
};

void print_plans(const PlanFlags& flags) {
  SuiteOptions options;
  for (const auto& path : flags.paths) {
    for (auto& scenario : load_suite(find_suite(path))) options.scenarios.push_back(std::move(scenario));
  }
  options.only = flags.only;
  const auto cells = plan_cells(options);
  if (flags.only.empty()) {
    for (const auto& cell : cells) say("{}/{}\n", cell.lock, cell.scenario);
    return;
  }
  const int indent = cells.size() == 1 ? 2 : -1;  // of several: one a line
  for (const auto& cell : cells) {
    for (const auto& scenario : options.scenarios) {
      if (scenario.name != cell.scenario) continue;
      print_json(to_json(fitted_to_lock(make_plan(scenario, cell.lock, flags.seed, 1))), indent);
    }
  }
}

}  // namespace

void add_plan(CLI::App& app, int&) {
  CLI::App* command = app.add_subcommand("plan", "Check scenarios; list their cells, or print the plans of some");
  auto flags = std::make_shared<PlanFlags>();
  command->add_option("suite", flags->paths, "Folders of scenarios, or scenario files")->required();
  command->add_option(
      "--only", flags->only,
      "Print the plans of these cells, LOCK/SCENARIO (either may be *), one per line if there are several");
  command->add_option("--seed", flags->seed, "Seed of all random choices")
      ->check(refuse_negative)
      ->capture_default_str();
  add_adapter_flags(command, flags->named);
  command->callback([flags] {
    add_named_adapters(flags->named);
    print_plans(*flags);
  });
}

}  // namespace holdfast
