#include "compare/fault_amount.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "artifact/error.hpp"
#include "artifact/json_reader.hpp"
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
  if (found.size() > 1) throw BadInput("--envelope " + word + ": may be " + joined(found));
  const auto amounts = fault_amounts(found.front());
  for (const auto& amount : amounts) {
    if (dot == std::string::npos || amount.key == word.substr(dot + 1)) return amount;
  }
  throw BadInput("--envelope " + word + ": there is no such amount; known: " + all_amounts());
}

}  // namespace holdfast
