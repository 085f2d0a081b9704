// `holdfast compare`: compares several locks, or settings of one, under the same scenarios and seeds.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <thread>

#include "artifact/error.hpp"
#include "artifact/json_text.hpp"
#include "artifact/run_directory.hpp"
#include "cli/command.hpp"
#include "cli/compare_flags.hpp"
#include "cli/help_text.hpp"
#include "cli/lock_words.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/sealed_shard.hpp"
#include "cli/shard_flags.hpp"
#include "cli/stored.hpp"
#include "cli/terminal.hpp"
#include "compare/baseline.hpp"
#include "compare/compare.hpp"
#include "compare/variants.hpp"
#include "reports/comparison_page.hpp"
#include "reports/comparison_text.hpp"
#include "suite/stored_result.hpp"

namespace holdfast {
namespace {

CompareOrder order_of(const CompareFlags& flags) {
  CompareOrder order;
  add_named_adapters(flags);
  std::vector<std::string> settings = flags.settings;
  if (!flags.lease.empty()) settings.push_back("lease_ms=" + flags.lease);
  order.variants = variants_of(flags.locks, settings);
  order.scenarios = compared_scenarios(flags.scenarios);
  order.as_written = flags.as_written;
  order.seed = flags.seed_given ? flags.seed : std::random_device{}();
  order.repeat = std::max(1, flags.repeat);
  order.jobs = flags.jobs > 0 ? flags.jobs : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  // A user's server runs one trial at a time.
  if (!flags.target.empty() && flags.jobs == 0) order.jobs = 1;
  order.sabotage = flags.sabotage;
  order.servers = flags.servers;
  check_servers(flags);
  check_order(order);
  return order;
}

std::string part_name(const Scenario& scenario) {
  return scenario.suite + "/" + scenario.name;
}

// All settings that define the comparison, as JSON.
nlohmann::json asked_of(const CompareOrder& order) {
  auto variants = nlohmann::json::array();
  for (const auto& variant : order.variants) {
    variants.push_back({{"name", variant.name}, {"lock", variant.lock}, {"settings", variant.settings}});
  }
  auto scenarios = nlohmann::json::object();
  for (const auto& scenario : order.scenarios) scenarios[part_name(scenario)] = to_json(scenario.source);
  return {{"--seed", std::to_string(order.seed)},
          {"--repeat", order.repeat},
          {"--as-written", order.as_written},
          {"variants", std::move(variants)},
          {"scenarios", std::move(scenarios)}};
}

// Removes the other shards' scenarios from the order. All variants of a scenario stay in one shard, because their
// measurements must come from one machine, in turn.
SealedShard shard_of_comparison(CompareFlags& flags, CompareOrder& order) {
  if (!flags.seed_given) {
    throw BadInput("--shard: each shard would draw its own seed; remedy: add --seed N, the same for all shards");
  }
  SealedShard out;
  out.kind = kComparisonShard;
  const Shard shard = asked_shard(flags.shard);
  std::vector<std::string> names;
  std::vector<std::int64_t> lengths_ms;
  for (const auto& scenario : order.scenarios) {
    names.push_back(part_name(scenario));
    lengths_ms.push_back(scenario.load.duration_ms);
  }
  out.dealing = dealt(shard, names, lengths_ms, "scenarios");
  out.asked = asked_of(order);
  flags.shard.clear();
  out.command = compare_command(flags, order.seed);
  flags.shard = to_text(shard);
  out.started_utc = utc_now();
  const auto own = out.dealing.own();
  std::erase_if(order.scenarios, [&own](const Scenario& scenario) { return !own.contains(part_name(scenario)); });
  return out;
}

void seal_comparison(const Comparison& all, const std::string& folder) {
  const RunDirectory at(folder);
  std::vector<std::string> files{"compare.json"};
  for (const auto& cell : all.cells) {
    for (const auto& trial : cell.trials) {
      for (const char* file : {"scenario.json", "plan.json", "history.jsonl", "facts.json", "verdict.json"}) {
        if (at.has(trial.folder + "/" + file)) files.push_back(trial.folder + "/" + file);
      }
    }
  }
  seal(folder, std::move(files));
}

void check_stored(const std::string& file, const Baseline& before, const CompareOrder& order) {
  try {
    check_baseline(before, order.variants, order.scenarios);
  } catch (const BadInput& error) {
    throw BadInput(file + ": " + error.what());
  }
}

int run_comparison(CompareFlags flags) {
  Baseline before;
  if (!flags.baseline.empty()) before = read_json_file(flags.baseline, read_baseline);
  CompareOrder order = order_of(flags);
  if (!flags.baseline.empty()) check_stored(flags.baseline, before, order);
  std::optional<SealedShard> shard;
  if (!flags.shard.empty()) shard = shard_of_comparison(flags, order);
  const auto& interrupted = catch_interrupts();
  const auto place = open_place(flags);
  order.target = place.get();
  order.folder = new_run_folder(flags.out);
  if (shard) begin_sealed(order.folder, *shard);
  ProgressLine line(flags.quiet);
  line.start(order.variants.size() * order.scenarios.size() * static_cast<std::size_t>(order.repeat), order.seed,
             order.jobs, order.folder);
  const std::string started = utc_now();
  Comparison all = compare(
      order, [&line](const CompareProgress& p) { line.show(p.done, p.trials, p.last); }, interrupted);
  line.end();
  close_place(place.get(), all.server);
  all.version = HOLDFAST_VERSION;
  all.started_utc = started;
  all.command = compare_command(flags, order.seed);
  all.baseline = flags.baseline;
  if (!flags.baseline.empty()) all.changes = changes_since(before, all);
  all.exit_code = exit_code_of(all);
  write_comparison(all, order.folder);
  if (shard && !all.interrupted) seal_comparison(all, order.folder);
  print_comparison(all, flags.json, order.folder);
  return all.exit_code;
}

}  // namespace

void write_comparison(const Comparison& all, const std::string& folder) {
  const RunDirectory run(folder);
  run.write("compare.html", comparison_page(all));
  run.write("compare.json", text_of_json(to_json(all), 1) + "\n");
}

void print_comparison(const Comparison& all, bool json, const std::string& folder) {
  const std::string paths = "report: " + from_here(folder + "/compare.html") + " · rerun: " + all.command;
  if (json) {
    print_json(to_json(all));
    tell("{}\n", paths);
  } else {
    say("{}\n{}\n", comparison_text(all, screen_columns()), paths);
  }
}

void add_compare(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand(
      "compare", "Compare locks, or settings of one lock, under the same scenarios: safety, outages, latency, cost");
  give_examples(command, {"holdfast compare insert_lease fenced_lease --scenario quick/none",
                          "holdfast compare insert_lease --envelope pause"});
  auto flags = std::make_shared<CompareFlags>();
  add_compare_flags(command, *flags);
  command->callback([command, flags, &exit_code] {
    flags->seed_given = command->count("--seed") > 0;
    take_lock_words(flags->locks, *flags);
    exit_code = flags->envelope.empty() ? run_comparison(*flags) : run_envelope(*flags);
  });
}

}  // namespace holdfast
