#include "compare/envelope_scenario.hpp"

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "artifact/error.hpp"
#include "artifact/json_reader.hpp"
#include "compare/variants.hpp"
#include "nemesis/fault.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kLongestFault_ms = 24LL * 3600 * 1000;

bool is_integer(const nlohmann::json& setting) {
  return setting.value("type", std::string()) == "integer";
}

std::vector<std::string> faults_of_word(const std::string& word) {
  std::vector<std::string> out;
  for (const auto& [name, type] : faults()) {
    if (name == word) return {name};
    const std::string between = "_" + name + "_";
    if (between.find("_" + word + "_") != std::string::npos) out.push_back(name);
  }
  if (out.size() < 2) return out;
  std::vector<std::string> of_clients;
  for (const auto& name : out) {
    if (!find_entry(faults(), name)->strikes_servers()) of_clients.push_back(name);
  }
  return of_clients.size() == 1 ? of_clients : out;
}

std::string all_amounts() {
  std::string out;
  for (const auto& [name, type] : faults()) {
    for (const auto& amount : fault_amounts(name)) {
      out += (out.empty() ? "" : ", ") + amount.fault + "." + amount.key;
    }
  }
  return out;
}

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const auto& word : words) out += (out.empty() ? "" : " or ") + word;
  return out;
}

using Json = nlohmann::json;

constexpr std::int64_t kTail_ms = 1500;  // time for the other clients' grants at the end

bool short_jobs(const FaultAmount& amount) {
  return amount.is_length() && !amount.strikes_servers;
}

Json moment_json(const FaultAmount& amount) {
  if (short_jobs(amount)) return {{"phase", "critical_section"}, {"nth", 2}};
  if (amount.strikes_servers) return {{"phase", "granted"}, {"nth", 2}};
  return {{"time_ms", 0}};
}

const char* target_of(const FaultAmount& amount) {
  if (amount.strikes_servers) return "server";
  return amount.is_length() ? "holder" : "client:0";
}

// A fault that acts on a request strikes the client that sends it.
bool strikes_a_request(const FaultAmount& amount) {
  return example_of(*find_entry(faults(), amount.fault))->point_action() != PointAction::go_on;
}

Json made_scenario(const EnvelopeCourse& course, std::int64_t amount) {
  const std::int64_t lease = course.lease_ms;
  const std::int64_t least = short_jobs(course.amount) ? lease / 20 : lease * 4 / 5;
  const std::int64_t most = short_jobs(course.amount) ? lease / 10 : lease * 19 / 20;
  const std::int64_t waits = course.amount.is_length() ? std::abs(amount) : lease;
  Json out{{"locks", {course.lock}},
           {"clients", 3},
           {"lease_ms", lease},
           {"hold_ms", {least, most}},
           {"pause_ms", {20, 80}},
           {"poll_ms", std::max<std::int64_t>(5, lease / 100)},
           {"duration_ms", 3 * lease + waits + kTail_ms},
           {"coverage", {{"grants", 3}, {"attempts_in_hold", 3}}},
           {"expect", {{"*", Json::object()}}}};
  if (amount == 0) return out;
  Json fault{{"fault", course.amount.fault}, {"target", target_of(course.amount)}, {"at", moment_json(course.amount)}};
  if (strikes_a_request(course.amount)) {
    fault.erase("target");
    fault["at"] = {{"request", 1}, {"of", "release"}, {"nth", 2}};
  }
  fault[course.amount.key] = amount;
  out["faults"] = {fault};
  return out;
}

// Difference between the amount and the duration in the user's scenario.
std::int64_t longer_ms(const EnvelopeCourse& course, const Scenario& own, std::int64_t amount) {
  std::int64_t out = 0;
  for (const auto& fault : own.faults) {
    if (course.amount.is_length() && fault.fault == course.amount.fault) out = std::max(out, amount - fault.for_ms);
  }
  return out;
}

// The user's scenario with the amount replaced at each occurrence of the fault, or with the fault removed. The load is
// extended by the same time, so that the fault ends before the trial.
JsonNode own_scenario(const EnvelopeCourse& course, std::int64_t amount) {
  const Scenario variant = variant_scenario(*course.own, {course.lock, course.lock, {}}, false);
  JsonNode root = variant.source;
  bool met = false;
  for (auto& member : root.members) {
    if (member.name != "faults") continue;
    auto& all = member.value.items;
    for (auto& fault : all) {
      const JsonNode* name = fault.find("fault");
      if (name == nullptr || name->text != course.amount.fault) continue;
      met = true;
      set_value(fault, course.amount.key, value_of(course.amount.key, std::to_string(amount)));
    }
    const auto ours = [&](const JsonNode& fault) { return fault.find("fault")->text == course.amount.fault; };
    if (amount == 0) std::erase_if(all, ours);
  }
  if (!met) course.own->source.refuse("has no fault " + course.amount.fault + ", whose envelope was requested");
  const std::int64_t duration_ms = variant.load.duration_ms + longer_ms(course, variant, amount);
  set_value(root, "duration_ms", value_of("duration_ms", std::to_string(duration_ms)));
  set_value(root, "lease_ms", value_of("lease_ms", std::to_string(course.lease_ms)));
  return root;
}

}  // namespace

std::vector<FaultAmount> fault_amounts(const std::string& fault) {
  const FaultType* type = find_entry(faults(), fault);
  if (type == nullptr) return {};
  const auto settings = parse_json(type->settings, fault);
  const bool servers = type->strikes_servers();
  const bool in_time = example_of(*type)->lasts();
  std::vector<FaultAmount> required;
  std::vector<FaultAmount> optional;
  for (const auto& [key, setting] : settings["properties"].items()) {
    if (!is_integer(setting)) continue;
    const auto& needed = settings["required"];
    const bool must = std::find(needed.begin(), needed.end(), key) != needed.end();
    (must ? required : optional)
        .push_back({fault, key, setting.value("minimum", std::int64_t{0}), setting.value("maximum", kLongestFault_ms),
                    in_time, servers});
  }
  if (in_time) required.push_back({fault, "for_ms", 1, kLongestFault_ms, in_time, servers});
  required.insert(required.end(), optional.begin(), optional.end());
  return required;
}

FaultAmount fault_amount(const std::string& word) {
  const auto dot = word.find('.');
  const std::string name = word.substr(0, dot);
  const auto found = faults_of_word(name);
  if (found.empty()) {
    const std::string near = nearest(name, entry_names(faults()));
    throw BadInput("--envelope: unknown fault '" + name.substr(0, 64) + "'" +
                   (near.empty() ? "" : " (did you mean '" + near + "'?)") + "; known: " + all_amounts());
  }
  if (found.size() > 1) throw BadInput("--envelope " + word + ": ambiguous, can be " + joined(found));
  const auto amounts = fault_amounts(found.front());
  for (const auto& amount : amounts) {
    if (dot == std::string::npos || amount.key == word.substr(dot + 1)) return amount;
  }
  throw BadInput("--envelope " + word + ": unknown amount; known: " + all_amounts());
}

Scenario envelope_scenario(const EnvelopeCourse& course, std::int64_t amount) {
  const std::string place = "the scenario of this envelope";
  JsonNode root = course.own != nullptr ? own_scenario(course, amount)
                                        : parse_json_text(text_of_json(made_scenario(course, amount), 1), place);
  for (const auto& [key, value] : course.settings) {
    const bool of_fault = key.rfind("faults.", 0) == 0;
    if (!of_fault || amount != 0) set_value(root, key, value_of(key, value));
  }
  Scenario out = read_scenario(std::move(root), place);
  out.suite = "envelope";
  out.name = course.amount.fault + "." + course.amount.key + "/" + std::to_string(amount);
  out.seed_name = "envelope/" + course.amount.fault;
  return out;
}

std::string dangerous_moment(const FaultAmount& amount) {
  if (short_jobs(amount)) {
    return "it strikes the holder in its critical section, before the write; jobs take 5 to 10 % of the lease";
  }
  if (amount.strikes_servers) {
    return "it strikes the server at a grant; jobs take 80 to 95 % of the lease";
  }
  return "it strikes one client of three from the start, sometimes as holder and sometimes as waiter; jobs take 80 to "
         "95 % of the lease";
}

}  // namespace holdfast
