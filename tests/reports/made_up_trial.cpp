#include "tests/reports/made_up_run.hpp"

namespace holdfast::made_up {
namespace {

constexpr std::int64_t kMs = 1'000'000;

PropertyVerdict property(const std::string& name, Judgement judgement, std::int64_t grants) {
  PropertyVerdict out;
  out.property = name;
  out.judgement = judgement;
  out.coverage = {{"grants", grants}, {"attempts_in_hold", grants * 7}};
  if (judgement == Judgement::not_applicable) out.reason = "the lock has no fencing token";
  return out;
}

std::vector<PropertyVerdict> all_holding(std::int64_t grants) {
  std::vector<PropertyVerdict> out;
  for (const char* name : {"lease_exclusion", "mutual_exclusion", "resource", "ownership", "progress"}) {
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
    if (p.property != "mutual_exclusion" && p.property != "resource") continue;
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

}  // namespace holdfast::made_up
