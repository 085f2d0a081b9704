#include "tests/reports/made_up_run.hpp"

#include <fmt/format.h>

#include <utility>

namespace holdfast::made_up {
namespace {

constexpr std::int64_t kMs = 1'000'000;

PropertyVerdict property(const std::string& name, Judgement judgement, std::int64_t grants) {
  PropertyVerdict out;
  out.property = name;
  out.judgement = judgement;
  out.exposure = {{"grants", grants}, {"attempts_in_hold", grants * 7}};
  if (judgement == Judgement::not_applicable) out.reason = "the lock has no fencing token";
  return out;
}

std::vector<PropertyVerdict> all_holding(std::int64_t grants) {
  std::vector<PropertyVerdict> out;
  for (const char* name : {"lease_exclusion", "belief_exclusion", "resource", "ownership", "progress"}) {
    out.push_back(property(name, Judgement::holds, grants));
  }
  out.insert(out.begin() + 3, property("fencing", Judgement::not_applicable, 0));
  return out;
}

// Clients take turns on "orders", each for some 200 ms, between two moments.
void take_turns(Timeline& timeline, std::int64_t from_ms, std::int64_t to_ms, std::uint32_t skip) {
  std::uint64_t index = static_cast<std::uint64_t>(from_ms);
  std::uint32_t client = 0;
  for (std::int64_t at = from_ms; at + 330 < to_ms; at += 260 + (at * 7) % 60) {
    client = (client * 3 + 5) % 8;
    if (client == skip) client = (client + 1) % 8;
    const std::int64_t held = 140 + (at * 13) % 110;
    timeline.spans.push_back({client, "orders", at * kMs, (at + held) * kMs, (at + 1998) * kMs, index, index + 4});
    timeline.writes.push_back({client, "orders", (at + held - 20) * kMs, "ok", index + 2});
    index += 9;
  }
}

TrialResult result_of(const TrialVerdict& verdict, Outcome outcome, int number, const std::string& folder) {
  TrialResult out;
  out.number = number;
  out.seed = verdict.seed;
  out.folder = folder;
  out.outcome = outcome;
  out.verdict = verdict;
  out.verdict.timeline = {};
  out.seconds = 19.4;
  return out;
}

std::vector<Mismatch> mismatches_of(Outcome outcome) {
  if (outcome == Outcome::unexpected) {
    return {{"belief_exclusion", "holds", "violated:overrun"}, {"resource", "holds", "violated:overrun"}};
  }
  if (outcome == Outcome::missed) return {{"belief_exclusion", "violated:overrun", "holds"}};
  if (outcome == Outcome::undecided) return {{"lease_exclusion", "holds", "not_exercised"}};
  return {};
}

void add_cell(PageInput& in, const std::string& lock, const std::string& scenario, Outcome outcome, int trials) {
  Cell cell;
  cell.lock = lock;
  cell.scenario = scenario;
  cell.outcome = outcome;
  const bool violated = outcome == Outcome::caught || outcome == Outcome::unexpected;
  const bool good = outcome == Outcome::caught || outcome == Outcome::as_expected;
  if (outcome == Outcome::caught || outcome == Outcome::missed) {
    cell.expected = {{"belief_exclusion", "violated:overrun"}, {"resource", "violated:overrun"}};
    cell.why = "no lease survives a pause longer than itself";
  }
  for (int n = 1; n <= trials; ++n) {
    TrialVerdict verdict = violated ? overlapping_trial(lock, scenario) : holding_trial(lock, scenario);
    verdict.seed += static_cast<std::uint64_t>(n);
    if (outcome == Outcome::undecided) {
      verdict.judgement = verdict.properties[0].judgement = Judgement::not_exercised;
      verdict.properties[0].reason = "no grant was live while the fault acted";
    }
    const std::string folder = fmt::format("{}/{}/{}", lock, scenario, n);
    TrialResult trial = result_of(verdict, outcome, n, folder);
    trial.mismatches = mismatches_of(outcome);
    if (outcome == Outcome::harness_error)
      trial.error = "kill_server: the server did not answer within 10 s after its restart";
    if (outcome == Outcome::unavailable) trial.error = "delay: this kernel has no sch_netem";
    in.trials[folder] = std::move(verdict);
    cell.trials.push_back(std::move(trial));
  }
  cell.trials_as_expected = good ? trials : 0;
  in.run.cells.push_back(std::move(cell));
}

PageInput frame() {
  PageInput in;
  in.run.version = "0.1.0";
  in.run.started_utc = "2026-01-31T12:00:00Z";
  in.run.suite = "quick";
  in.run.server = "MariaDB 10.11.19";
  in.run.command = "holdfast run scenarios/quick --seed 42";
  in.run.seed = 42;
  in.run.seconds = 192.4;
  in.run.locks = {"insert_lease", "nowait_lease", "ip_lease", "fenced_lease"};
  in.run.scenarios = {"none", "pause", "partition", "skew", "kill_server"};
  in.run.faults = {{"pause", 5, 5, "longest 2.31 s", ""},
                   {"partition", 4, 4, "1,204 packets dropped", ""},
                   {"client_skew", 4, 4, "+1.500 s, read back", ""},
                   {"kill_server", 3, 4, "answered again after 0.41 s", ""},
                   {"delay", 0, 0, "", "this kernel has no sch_netem"}};
  in.environment = {{"cpu", "2 cores"}, {"kernel", "6.1.0-28-amd64"}, {"stalls", "0"}, {"compiler", "GCC 12.2"}};
  return in;
}

}  // namespace

Timeline overlap_timeline() {
  Timeline out;
  out.end_ns = 19'000 * kMs;
  take_turns(out, 200, 12'690, 9);
  out.spans.push_back({3, "orders", 12'700 * kMs, 15'015 * kMs, 14'200 * kMs, 881, 930});
  out.spans.push_back({7, "orders", 14'203 * kMs, 15'180 * kMs, 16'201 * kMs, 902, 934});
  out.writes.push_back({3, "orders", 14'640 * kMs, "ok", 917});
  out.writes.push_back({7, "orders", 14'460 * kMs, "ok", 911});
  out.writes.push_back({7, "orders", 15'090 * kMs, "fail", 932});
  out.writes.push_back({3, "orders", 14'960 * kMs, "info", 928});
  out.faults.push_back({"pause", {3}, 13'102 * kMs, 14'602 * kMs, "stopped for 1,500 ms"});
  take_turns(out, 15'300, 19'000, 9);
  return out;
}

Witness overlap_witness() {
  Witness out;
  out.key = "orders";
  out.kind = "overrun";
  out.indices = {880, 881, 901, 902, 929, 930};
  out.clients = {3, 7};
  out.from_ns = 14'203 * kMs;
  out.to_ns = 15'015 * kMs;
  out.text = "client 3 went on as owner of \"orders\" for 812 ms after client 7 was granted it";
  return out;
}

TrialVerdict holding_trial(const std::string& lock, const std::string& scenario) {
  TrialVerdict out;
  out.lock = lock;
  out.scenario = scenario;
  out.seed = 9'000'000'000'000'000'000U;
  out.model = "lease";
  out.clients = 8;
  out.properties = all_holding(61);
  out.measures = {1530, 61, 1340, 0, 0, 2, 310 * kMs, 905 * kMs};
  out.timeline.end_ns = 19'000 * kMs;
  take_turns(out.timeline, 150, 19'000, 9);
  if (scenario != "none") out.timeline.faults = {{scenario, {2}, 5'000 * kMs, 7'000 * kMs, "measured for 2,000 ms"}};
  return out;
}

TrialVerdict overlapping_trial(const std::string& lock, const std::string& scenario) {
  TrialVerdict out = holding_trial(lock, scenario);
  out.judgement = Judgement::violated;
  out.timeline = overlap_timeline();
  for (auto& p : out.properties) {
    if (p.property != "belief_exclusion" && p.property != "resource") continue;
    p.judgement = Judgement::violated;
    p.kind = "overrun";
    p.kinds = {{"overrun", 1}};
    p.count = 1;
    p.total_ns = 812 * kMs;
    p.witnesses = {overlap_witness()};
  }
  out.properties[2].total_ns = 0;
  out.properties[2].witnesses[0].from_ns = out.properties[2].witnesses[0].to_ns = 14'640 * kMs;
  out.properties[2].witnesses[0].text = "client 3 wrote after client 7's first write was accepted";
  return out;
}

PageInput failing_run(int trials) {
  PageInput in = frame();
  for (const auto& lock : in.run.locks) {
    for (const auto& scenario : in.run.scenarios) {
      Outcome outcome = scenario == "pause" && lock != "fenced_lease" ? Outcome::caught : Outcome::as_expected;
      if (lock == "ip_lease") outcome = scenario == "none" ? Outcome::missed : Outcome::caught;
      if (lock == "nowait_lease" && scenario == "skew") outcome = Outcome::unexpected;
      if (lock == "fenced_lease" && scenario == "skew") outcome = Outcome::undecided;
      if (lock == "fenced_lease" && scenario == "kill_server") outcome = Outcome::harness_error;
      if (lock == "fenced_lease" && scenario == "partition") outcome = Outcome::unavailable;
      add_cell(in, lock, scenario, outcome, trials);
    }
  }
  in.run.exit_code = 1;
  return in;
}

PageInput passing_run() {
  PageInput in = frame();
  for (const auto& lock : in.run.locks) {
    for (const auto& scenario : in.run.scenarios) add_cell(in, lock, scenario, Outcome::as_expected, 1);
  }
  return in;
}

PageInput interrupted_run() {
  PageInput in = frame();
  add_cell(in, "insert_lease", "none", Outcome::as_expected, 1);
  add_cell(in, "nowait_lease", "skew", Outcome::unexpected, 1);
  in.run.interrupted = true;
  in.run.exit_code = 130;
  return in;
}

PageInput hostile_run() {
  PageInput in = frame();
  in.run.version = in.run.started_utc = in.run.suite = in.run.server = in.run.command = in.run.sentence = kHostile;
  in.run.locks = {kHostile};
  in.run.scenarios = {kHostile};
  add_cell(in, kHostile, kHostile, Outcome::unexpected, 2);
  Cell& cell = in.run.cells.front();
  cell.why = kHostile;
  cell.expected = {{kHostile, kHostile}};
  for (auto& trial : cell.trials) {
    trial.error = kHostile;
    trial.mismatches = {{kHostile, kHostile, kHostile}, {"belief_exclusion", kHostile, kHostile}};
    for (auto& p : trial.verdict.properties) {
      p.kind = p.reason = kHostile;
      p.exposure[kHostile] = 1;
      p.kinds = {{kHostile, 1}, {"other", 2}};
      for (auto& w : p.witnesses) w.key = w.kind = w.text = kHostile;
    }
  }
  for (auto& [folder, verdict] : in.trials) {
    for (auto& span : verdict.timeline.spans) span.key = kHostile;
    for (auto& write : verdict.timeline.writes) write.key = write.result = kHostile;
    for (auto& fault : verdict.timeline.faults) fault.fault = fault.detail = kHostile;
  }
  in.run.faults = {{kHostile, 1, 1, kHostile, ""}, {kHostile, 0, 0, "", kHostile}};
  in.environment = {{kHostile, kHostile}};
  return in;
}

}  // namespace holdfast::made_up
