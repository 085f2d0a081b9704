// `holdfast compare`: several locks, or settings of one, under the same scenarios and seeds, side by side.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <random>
#include <thread>

#include "artifact/error.hpp"
#include "artifact/json_text.hpp"
#include "cli/command.hpp"
#include "cli/compare_flags.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
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
  // The user's server bears one trial after the other.
  if (!flags.target.empty() && flags.jobs == 0) order.jobs = 1;
  order.sabotage = flags.sabotage;
  order.servers = flags.servers;
  check_servers(flags);
  check_order(order);
  return order;
}

void write_comparison(const Comparison& all, const std::string& folder) {
  write_text_file(folder + "/compare.html", comparison_page(all));
  write_text_file(folder + "/compare.json", to_json(all).dump(1) + "\n");
}

void print_comparison(const Comparison& all, const CompareFlags& flags, const std::string& folder) {
  const std::string paths = "report: " + from_here(folder + "/compare.html") + " · rerun: " + all.command;
  if (flags.json) {
    print_json(to_json(all));
    tell("{}\n", paths);
  } else {
    say("{}\n{}\n", comparison_text(all), paths);
  }
}

void check_stored(const std::string& file, const Baseline& before, const CompareOrder& order) {
  try {
    check_baseline(before, order.variants, order.scenarios);
  } catch (const BadInput& error) {
    throw BadInput(file + ": " + error.what());
  }
}

int run_comparison(const CompareFlags& flags) {
  Baseline before;
  if (!flags.baseline.empty()) before = read_json_file(flags.baseline, read_baseline);
  CompareOrder order = order_of(flags);
  if (!flags.baseline.empty()) check_stored(flags.baseline, before, order);
  const auto& interrupted = catch_interrupts();
  const auto place = open_place(flags);
  order.target = place.get();
  order.folder = new_run_folder(flags.out);
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
  print_comparison(all, flags, order.folder);
  return all.exit_code;
}

}  // namespace

void add_compare(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand(
      "compare", "Compare locks, or settings of one, under the same scenarios: safety, outages, latency, cost");
  auto flags = std::make_shared<CompareFlags>();
  add_compare_flags(command, *flags);
  command->callback([command, flags, &exit_code] {
    flags->seed_given = command->count("--seed") > 0;
    exit_code = flags->envelope.empty() ? run_comparison(*flags) : run_envelope(*flags);
  });
}

}  // namespace holdfast
