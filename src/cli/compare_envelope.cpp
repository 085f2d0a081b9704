// `holdfast compare --envelope`: finds the largest amount of a fault that a lock tolerates.
#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <random>
#include <thread>

#include "artifact/error.hpp"
#include "artifact/json_text.hpp"
#include "artifact/run_directory.hpp"
#include "cli/command.hpp"
#include "cli/compare_flags.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/terminal.hpp"
#include "compare/envelope.hpp"
#include "compare/variants.hpp"
#include "reports/comparison_text.hpp"
#include "reports/envelope_page.hpp"
#include "suite/stored_result.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kShortestLease_ms = 100;
constexpr std::int64_t kLongestLease_ms = 600'000;

std::int64_t lease_of_word(const std::string& word) {
  const bool digits = !word.empty() && word.size() < 8 && word.find_first_not_of("0123456789") == std::string::npos;
  const std::int64_t lease_ms = digits ? std::stoll(word) : 0;
  if (lease_ms >= kShortestLease_ms && lease_ms <= kLongestLease_ms) return lease_ms;
  throw BadInput("--lease " + word + ": expected milliseconds from " + std::to_string(kShortestLease_ms) + " to " +
                 std::to_string(kLongestLease_ms));
}

// The same flags as for a comparison, but with a single value for each setting.
EnvelopeOrder envelope_order(const CompareFlags& flags) {
  EnvelopeOrder order;
  add_named_adapters(flags);
  order.amount = fault_amount(flags.envelope);
  for (const auto& variant : variants_of(flags.locks, flags.settings)) {
    if (std::find(order.locks.begin(), order.locks.end(), variant.lock) != order.locks.end()) {
      throw BadInput("--set: takes only one value for each setting with --envelope");
    }
    order.locks.push_back(variant.lock);
    order.settings.assign(variant.settings.begin(), variant.settings.end());
  }
  if (!flags.lease.empty()) {
    order.leases_ms.clear();
    for (const auto& variant : variants_of({order.locks.front()}, {"lease_ms=" + flags.lease})) {
      order.leases_ms.push_back(lease_of_word(variant.settings.at("lease_ms")));
    }
  }
  if (!flags.scenarios.empty()) order.scenario = compared_scenarios(flags.scenarios);
  if (order.scenario.size() > 1) throw BadInput("--scenario: takes only one scenario with --envelope");
  if (!order.scenario.empty() && flags.lease.empty()) order.leases_ms = {order.scenario.front().load.lease_ms};
  order.property = flags.property;
  order.most = flags.most;
  order.step = flags.step;
  order.seed = flags.seed_given ? flags.seed : std::random_device{}();
  order.repeat = flags.repeat > 0 ? flags.repeat : 3;
  // Trials mostly sleep, and are judged by events, not speed.
  order.jobs = flags.jobs > 0 ? flags.jobs : 4 * static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  if (!flags.target.empty() && flags.jobs == 0) order.jobs = 1;  // a user's server runs one trial at a time
  order.servers = flags.servers;
  check_servers(flags);
  check_order(order);
  return order;
}

}  // namespace

int run_envelope(const CompareFlags& flags) {
  EnvelopeOrder order = envelope_order(flags);
  const auto& interrupted = catch_interrupts();
  const auto place = open_place(flags);
  order.target = place.get();
  order.folder = new_run_folder(flags.out);
  ProgressLine line(flags.quiet);
  line.start(0, order.seed, order.jobs, order.folder);
  const std::string started = utc_now();
  EnvelopeRun found = find_envelopes(
      order, [&line](const CompareProgress& p) { line.show(p.done, p.trials, p.last); }, interrupted);
  line.end();
  close_place(place.get(), found.server);
  found.version = HOLDFAST_VERSION;
  found.started_utc = started;
  found.command = compare_command(flags, order.seed);
  found.exit_code = exit_code_of(found);
  const RunDirectory run(order.folder);
  run.write("envelope.json", text_of_json(to_json(found), 1) + "\n");
  run.write("envelope.html", envelope_page(found));
  const std::string paths = "report: " + from_here(order.folder + "/envelope.html") +
                            " · result: " + from_here(order.folder + "/envelope.json") + " · rerun: " + found.command;
  if (flags.json) {
    print_json(to_json(found));
    tell("{}\n", paths);
  } else {
    say("{}\n{}\n", envelope_text(found), paths);
  }
  return found.exit_code;
}

}  // namespace holdfast
