#include "soak/drawn_scenario.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <random>

namespace holdfast {
namespace {

using Json = nlohmann::json;

constexpr std::int64_t kLeastClients = 2;
constexpr std::int64_t kLeastFault_ms = 100;
constexpr std::int64_t kLeastLoad_ms = 2000;
constexpr std::int64_t kLaterPassings = 3;

// std::uniform_int_distribution may differ between libraries; a seed must give the same plan everywhere.
class Chance {
 public:
  explicit Chance(std::uint64_t seed) : numbers_(seed) {}
  std::int64_t between(std::int64_t least, std::int64_t most) {
    if (most <= least) return least;
    return least + static_cast<std::int64_t>(numbers_() % static_cast<std::uint64_t>(most - least + 1));
  }
  bool one_in(std::int64_t n) { return between(1, n) == 1; }

 private:
  std::mt19937_64 numbers_;
};

// A violated kind that the scenario names is not new. If it names no kind, nothing could be new.
std::string as_bound(const std::string& expected) {
  constexpr const char* kViolated = "violated";
  if (expected == kViolated) return "not_judged";
  if (expected.rfind(kViolated, 0) == 0) return "allowed" + expected.substr(std::string(kViolated).size());
  return expected.rfind("allowed", 0) == 0 || expected == "not_judged" ? expected : "";
}

Json bounds_of(const Scenario& scenario, const std::string& lock) {
  Json out = Json::object();
  for (const auto& [property, expected] : scenario.expected_of(lock)) {
    if (const std::string bound = as_bound(expected); !bound.empty()) out[property] = bound;
  }
  return out;
}

void draw_moment(Json& at, std::int64_t latest_ms, Chance& chance) {
  if (at.contains("time_ms")) at["time_ms"] = chance.between(0, std::max<std::int64_t>(0, latest_ms));
  if (!at.contains("phase") && !at.contains("statement") && !at.contains("request")) return;
  at["nth"] = chance.between(1, at.value("nth", std::int64_t{1}) + kLaterPassings);
  if (!at.contains("phase")) at["when"] = chance.one_in(2) ? "before" : "after";
}

Json drawn_fault(Json fault, std::int64_t duration_ms, Chance& chance) {
  const std::int64_t for_ms = fault.value("for_ms", std::int64_t{0});
  if (for_ms > 0) fault["for_ms"] = chance.between(std::max(kLeastFault_ms, for_ms / 4), for_ms);
  if (fault.contains("at")) draw_moment(fault["at"], duration_ms - for_ms, chance);
  fault["optional"] = true;
  return fault;
}

// No fault is used twice: two of a kind could strike the same client at once and would be indistinguishable.
Json drawn_faults(const Json& faults, std::int64_t duration_ms, Chance& chance) {
  std::map<std::string, Json> chosen;
  for (const auto& fault : faults) {
    Json drawn = drawn_fault(fault, duration_ms, chance);
    const bool left_out = faults.size() > 1 && chance.one_in(4);
    if (!left_out || chosen.empty()) chosen[fault.at("fault")] = std::move(drawn);
  }
  Json out = Json::array();
  for (auto& [name, fault] : chosen) out.push_back(std::move(fault));
  return out;
}

// A single number is a range with equal ends.
Json drawn_hold(const Json& hold_ms, Chance& chance) {
  if (!hold_ms.is_array()) return hold_ms;
  const std::int64_t from = hold_ms.at(0);
  const std::int64_t longest = chance.between(from, hold_ms.at(1));
  return {chance.between(from, longest), longest};
}

// The lock's own settings take the place of the scenario's.
Json of_one_lock(const Scenario& scenario, const std::string& lock) {
  Json out = to_json(scenario.source);
  const Json per_lock = out.value("per_lock", Json::object());
  for (const char* key : {"per_lock", "control", "expect", "why", "coverage"}) out.erase(key);
  if (per_lock.contains(lock)) out.update(per_lock.at(lock));
  out.erase("coverage");
  out["coverage"] = {{"grants", 1}, {"attempts_in_hold", 0}};
  out["locks"] = {lock};
  return out;
}

void add_fewer_clients(const Json& scenario, std::vector<Json>& out) {
  const std::int64_t clients = scenario.at("clients");
  for (const std::int64_t fewer : {clients / 2, clients - 1}) {
    const bool known = !out.empty() && out.back().at("clients") == fewer;
    if (fewer < kLeastClients || fewer >= clients || known) continue;
    out.push_back(scenario);
    out.back()["clients"] = fewer;
  }
}

void add_shorter_faults(const Json& scenario, std::vector<Json>& out) {
  const Json faults = scenario.value("faults", Json::array());
  for (std::size_t i = 0; i < faults.size(); ++i) {
    const std::int64_t half_ms = faults[i].value("for_ms", std::int64_t{0}) / 2;
    if (half_ms < kLeastFault_ms) continue;
    out.push_back(scenario);
    out.back()["faults"][i]["for_ms"] = half_ms;
  }
}

}  // namespace

Json drawn_scenario(const Scenario& scenario, const std::string& lock, std::uint64_t seed) {
  Chance chance(seed);
  Json out = of_one_lock(scenario, lock);
  const std::int64_t clients = out.value("clients", Load{}.clients);
  const std::int64_t least = std::max(kLeastClients, out.value("shared_addresses", std::int64_t{0}));
  out["clients"] = chance.between(std::min(least, clients), clients);
  if (out.contains("hold_ms")) out["hold_ms"] = drawn_hold(out["hold_ms"], chance);
  if (out.contains("faults")) {
    out["faults"] = drawn_faults(out["faults"], out.value("duration_ms", Load{}.duration_ms), chance);
  }
  out["expect"] = {{"*", bounds_of(scenario, lock)}};
  return out;
}

std::vector<Json> smaller_scenarios(const Json& scenario) {
  std::vector<Json> out;
  const Json faults = scenario.value("faults", Json::array());
  for (std::size_t i = 0; i < faults.size(); ++i) {
    out.push_back(scenario);
    out.back()["faults"].erase(i);
  }
  add_fewer_clients(scenario, out);
  add_shorter_faults(scenario, out);
  const std::int64_t shorter_ms = scenario.value("duration_ms", Load{}.duration_ms) * 2 / 3;
  if (shorter_ms >= kLeastLoad_ms) {
    out.push_back(scenario);
    out.back()["duration_ms"] = shorter_ms;
  }
  return out;
}

std::string size_of_scenario(const Json& scenario) {
  std::string faults;
  for (const auto& fault : scenario.value("faults", Json::array())) {
    const std::int64_t for_ms = fault.value("for_ms", std::int64_t{0});
    faults += (faults.empty() ? "" : ", ") + fault.value("fault", std::string());
    if (for_ms > 0) faults += fmt::format(" for {} ms", for_ms);
  }
  return fmt::format("{} clients, {}, {} ms", scenario.value("clients", Load{}.clients),
                     faults.empty() ? "no fault" : faults, scenario.value("duration_ms", Load{}.duration_ms));
}

}  // namespace holdfast
