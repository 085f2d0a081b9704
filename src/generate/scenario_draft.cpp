#include "generate/scenario_draft.hpp"

#include <algorithm>
#include <sstream>
#include <utility>

#include "artifact/json_text.hpp"
#include "artifact/property_words.hpp"
#include "generate/generated_suite.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kShortLease_ms = 1200;    // longer than stalls of a busy machine between two steps
constexpr std::int64_t kRenewedLease_ms = 2000;  // long enough for a renewing thread to get its turn
// Additions to a lease from whole-second columns, plus the successor's turn.
constexpr std::int64_t kRoundings_ms = 2200;
constexpr std::int64_t kPoll_ms = 30;          // for a short lease; clients with a longer one poll less often
constexpr std::int64_t kAfterFault_ms = 1500;  // time for the fault's effects to show

const char* const kMayStaySilent = "allowed";
const std::string kAllowedKinds = "allowed:";
const char* const kNoLease =
    "a lease cannot stop a client that is paused, is cut off or works for longer than the lease";

// A hold must not outlive its lease while another client waits. A renewed one does not, whatever its length. Then the
// lease is short, so that long waits outlive it: only in that way does a client that counts a lease from when it first
// saw it take over a dead holder's lock.
std::int64_t short_lease_ms(const LockType& type) {
  return type.waits && type.renews_unseen ? kRenewedLease_ms : kShortLease_ms + longest_wait_ms(type);
}

std::int64_t usual_lease_ms(const LockType& type) {
  return type.tried_lease_ms > 0 ? type.tried_lease_ms : short_lease_ms(type);
}

// Difference from the lease for which loads and faults are designed.
std::int64_t longer_by_ms(const LockType& type) {
  return std::max<std::int64_t>(0, usual_lease_ms(type) - short_lease_ms(type));
}

constexpr const char* kForgets = "the server lost a grant that it had acknowledged, so it grants the lock again";

}  // namespace

ScenarioDraft::ScenarioDraft(const LockType& type, const std::string& lock, std::string name, const std::string& about)
    : type_(type),
      suite_(kGenerated),
      name_(std::move(name)),
      lease_ms_(promised_lease_ms(type, usual_lease_ms(type))) {
  json_ = {{"about", about},
           {"locks", {lock}},
           {"clients", 4},
           {"lease_ms", lease_ms_},
           {"hold_ms", {40, 160}},
           {"pause_ms", {0, 20}},
           {"poll_ms", kPoll_ms * usual_lease_ms(type) / short_lease_ms(type)},
           {"duration_ms", 2500 + longer_by_ms(type)},
           {"progress_bound_ms", 1500},
           {"coverage", {{"grants", type.releases ? 4 : 1}, {"attempts_in_hold", 1}}}};
  if (type.several_servers) json_["topology"] = topology_for(type);
  if (!type.releases) json_["duration_ms"] = lease_ms_ + 3500;  // a holder leaves, and its lease must run out
  keep_every_promise();
}

ScenarioDraft::ScenarioDraft(const LockType& type, const std::string& lock, std::string name, const Scenario& world)
    : type_(type), suite_(world.suite), name_(std::move(name)), lease_ms_(world.load.lease_ms) {
  json_ = to_json(world.source);
  for (const char* of_others : {"expect", "why", "control", "per_lock", "$schema"}) json_.erase(of_others);
  json_["locks"] = {lock};
  json_["coverage"] = {{"grants", std::min<std::int64_t>(world.minima.grants, type.releases ? 4 : 1)},
                       {"attempts_in_hold", std::min<std::int64_t>(world.minima.attempts_in_hold, 1)}};
  if (json_.contains("faults")) {
    for (auto& fault : json_["faults"]) fault["optional"] = true;  // the lock decides whether the point is reached
  }
  keep_every_promise();
  keep_allowed(to_json(world.source));
}

// Failures that a suite allows for every lock there cannot be prevented, so they are allowed for this one, too.
void ScenarioDraft::keep_allowed(const nlohmann::json& world) {
  const auto expected = world.value("/expect/*"_json_pointer, nlohmann::json::object());
  for (const auto& [property, word] : expected.items()) {
    if (word.get_ref<const std::string&>().rfind(kAllowedKinds, 0) == 0) json_["expect"]["*"][property] = word;
  }
  if (const auto why = world.value("/why/*"_json_pointer, std::string()); !why.empty()) json_["why"]["*"] = why;
}

// Merges with the kinds already allowed, without duplicates: "overrun,late_grant" and "allowed:overrun" give
// "allowed:overrun,late_grant".
void ScenarioDraft::allow(const std::string& property, const std::string& kinds) {
  auto& expected = json_["expect"]["*"][property];
  std::string all = expected.is_string() ? expected.get<std::string>() : "";
  if (all.rfind(kAllowedKinds, 0) != 0) all = kAllowedKinds;
  std::istringstream words(kinds);
  for (std::string kind; std::getline(words, kind, ',');) {
    const std::string known = "," + all.substr(kAllowedKinds.size()) + ",";
    if (known.find("," + kind + ",") != std::string::npos) continue;
    all += (all == kAllowedKinds ? "" : ",") + kind;
  }
  expected = all;
}

void ScenarioDraft::keep_every_promise() {
  json_["expect"] = {{"*", nlohmann::json::object()}};
  for (const auto& property : promisable_properties()) {
    if (!concerns(property, Concerns::holders)) json_["expect"]["*"][property] = kMayStaySilent;
  }
}

std::int64_t ScenarioDraft::beyond_ms() const {
  return (type_.lease ? lease_ms_ + type_.guard_ms : 0) + kRoundings_ms;
}

ScenarioDraft& ScenarioDraft::set(const std::string& key, nlohmann::json value) {
  json_[key] = std::move(value);
  return *this;
}

ScenarioDraft& ScenarioDraft::add_fault(nlohmann::json fault) {
  const auto faults = static_cast<std::int64_t>(json_.contains("faults") ? json_["faults"].size() + 1 : 1);
  const std::int64_t most_ms =
      1000 + fault.value("for_ms", std::int64_t{0}) + kAfterFault_ms + faults * longer_by_ms(type_);
  json_["duration_ms"] = std::max(json_["duration_ms"].get<std::int64_t>(), most_ms);
  fault["optional"] = true;  // the lock decides whether the point is reached
  json_["faults"].push_back(std::move(fault));
  return *this;
}

ScenarioDraft& ScenarioDraft::outlives(Outlives word) {
  if (word == Outlives::no || !type_.lease) return *this;
  if (!json_.contains("why")) json_["why"] = {{"*", kNoLease}};
  const bool may_damage = !type_.fenced && word == Outlives::yes;
  for (const auto& [name, words] : property_words()) {
    if (*words->when_outlived == '\0' || (words->concerns == Concerns::data && !may_damage)) continue;
    allow(name, words->when_outlived);
  }
  return *this;
}

ScenarioDraft& ScenarioDraft::server_forgets() {
  json_["why"] = {{"*", kForgets}};
  for (const auto& [name, words] : property_words()) {
    const Concerns what = words->concerns;
    const bool of_grants = what != Concerns::waiters && what != Concerns::author && what != Concerns::histories;
    if (of_grants && words->promised_by != PromisedBy::nobody) allow(name, "server_lost_state,session_lost");
  }
  return *this;
}

ScenarioDraft& ScenarioDraft::moment_only() {
  for (const auto& property : promisable_properties()) {
    if (!concerns(property, Concerns::holders)) continue;
    auto& expected = json_["expect"]["*"][property];
    if (!expected.is_string()) expected = kMayStaySilent;  // a property with allowed kinds need not be exercised
  }
  return *this;
}

Scenario ScenarioDraft::finish() const {
  const std::string file = suite_ + "/" + name_ + ".json";
  Scenario out = read_scenario(parse_json_text(text_of_json(json_, 1), file), file);
  out.suite = suite_;
  return out;
}

}  // namespace holdfast
