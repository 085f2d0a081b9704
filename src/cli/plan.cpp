// `holdfast plan`: checks scenarios and prints the plan of a cell, without running anything.
#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "artifact/error.hpp"
#include "cli/command.hpp"
#include "cli/foreseen_cells.hpp"
#include "cli/help_text.hpp"
#include "cli/lock_words.hpp"
#include "cli/run_and_report.hpp"
#include "cli/run_flags.hpp"
#include "cli/terminal.hpp"
#include "generate/generated_suite.hpp"
#include "plan/make_plan.hpp"
#include "reports/durations.hpp"
#include "suite/suite.hpp"
#include "suite/trial_job.hpp"

namespace holdfast {
namespace {

std::string whole_name(const Cell& cell) {
  return cell.lock + "/" + cell.scenario;
}

void print_plans_of(const SuiteOptions& options, const std::vector<Cell>& cells, std::uint64_t seed) {
  const int indent = cells.size() == 1 ? 2 : -1;  // several plans: one per line
  for (const auto& cell : cells) {
    print_json(to_json(fitted_to_lock(make_plan(scenario_of(options, cell), cell.lock, seed, 1))), indent);
  }
}

// Prints a suite that its first trial completes: the certain and the possible cells.
void print_foreseen(const RunFlags& flags) {
  const ForeseenCells all = foreseen_cells(flags);
  SuiteOptions asked = all.possible;
  asked.only = flags.only.patterns;
  asked.only_from = flags.only.places;
  std::vector<Cell> sure = plan_cells(asked);
  const auto of_all = plan_cells(all.sure);
  const auto first_possible = std::stable_partition(sure.begin(), sure.end(), [&of_all](const Cell& cell) {
    return std::any_of(of_all.begin(), of_all.end(),
                       [&cell](const Cell& one) { return whole_name(one) == whole_name(cell); });
  });
  const std::vector<Cell> possible(first_possible, sure.end());
  sure.erase(first_possible, sure.end());
  if (flags.only.patterns.empty()) {
    for (const auto& cell : sure) say("{}\n", whole_name(cell));
    for (const auto& cell : possible) say("{} (possible)\n", whole_name(cell));
  } else if (sure.empty()) {
    throw BadInput(whole_name(possible.front()) +
                   ": has no plan yet, because the first trial shows whether and when the lock sends that statement; "
                   "remedy: holdfast run generated, with the same --lock and --only");
  } else {
    print_plans_of(all.sure, sure, flags.seed);
  }
  if (possible.empty()) return;
  const bool listed = flags.only.patterns.empty();
  tell("holdfast: {} planned only if the first trial, {}, shows that the lock sends that statement\n",
       listed
           ? "those that are possible are"
           : "no plan yet for " + plural(static_cast<std::int64_t>(possible.size()), "cell", "cells") + ", which are",
       kLapses);
}

void print_plans(const RunFlags& flags) {
  SuiteOptions options;
  add_scenarios(flags, ".", options);
  options.only = flags.only.patterns;
  options.only_from = flags.only.places;
  const auto cells = plan_cells(options);
  if (!flags.only.patterns.empty()) return print_plans_of(options, cells, flags.seed);
  for (const auto& cell : cells) say("{}\n", whole_name(cell));
}

void plan_suite(RunFlags flags) {
  take_suite_words(flags);
  check_generated(flags);
  generates(flags) ? print_foreseen(flags) : print_plans(flags);
}

}  // namespace

void add_plan(CLI::App& app, int&) {
  CLI::App* command = app.add_subcommand("plan", "Check scenarios; list their cells, or print plans of cells");
  give_examples(command, {"holdfast plan quick", "holdfast plan my_lock.sql"});
  auto flags = std::make_shared<RunFlags>();
  flags->seed = 1;
  command
      ->add_option("suite", flags->paths,
                   "Folders of scenarios, or scenario files; generated: the suite made for --lock; my_lock.sql: the "
                   "suite made for that file")
      ->required();
  command->add_option("--lock", flags->locks,
                      "Lock to run instead of the suite's locks, or for which to generate the suite; may be repeated");
  add_only_flag(command, flags->only,
                "Print the plans of these cells, LOCK/SCENARIO; several plans are printed one "
                "per line");
  command->add_option("--seed", flags->seed, "Seed of all random choices")
      ->check(refuse_negative)
      ->capture_default_str();
  add_adapter_flags(command, *flags);
  command->callback([flags] { plan_suite(*flags); });
}

}  // namespace holdfast
