// `holdfast schema`: the JSON Schema of scenarios, for editors: the fixed part (scenario_schema.json) with the names
// and settings that the catalogues have. docs/scenario.schema.json is its output; a test keeps the two the same.
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string_view>

#include "artifact/capacity.hpp"
#include "checker/property.hpp"
#include "cli/command.hpp"
#include "control/phase.hpp"
#include "lock/lock.hpp"
#include "nemesis/fault.hpp"

namespace holdfast {

std::string_view embedded_schema(std::string_view name);

namespace {

using nlohmann::ordered_json;

// A fault is one of the catalogue's, each with the keys that all have and its own.
ordered_json fault_schemas(const ordered_json& common) {
  auto all = ordered_json::array();
  for (const auto& [name, type] : faults()) {
    const auto own = ordered_json::parse(type->settings);
    ordered_json one{{"description", type->about}, {"type", "object"}, {"additionalProperties", false}};
    one["properties"] = common;
    one["properties"]["fault"] = {{"const", name}};
    for (const auto& [key, value] : own["properties"].items()) one["properties"][key] = value;
    one["required"] = {"fault", "at"};
    for (const auto& key : own["required"]) one["required"].push_back(key);
    all.push_back(one);
  }
  return all;
}

ordered_json schema() {
  auto out = ordered_json::parse(embedded_schema("scenario_schema.json"));
  auto& definitions = out["definitions"];
  ordered_json load = definitions["load"];
  load["clients"]["maximum"] = load["shared_addresses"]["maximum"] = kMostClients;
  load["keys"]["maximum"] = kMostKeys;
  definitions["moment"]["properties"]["client"]["maximum"] = kMostClients - 1;
  for (const auto& [key, value] : load.items()) {
    out["properties"][key] = value;
    for (const char* own : {"per_lock", "control"}) {
      out["properties"][own]["additionalProperties"]["properties"][key] = value;
    }
  }
  definitions.erase("load");
  definitions["faults"] = {
      {"type", "array"}, {"maxItems", kMostFaults}, {"items", {{"oneOf", fault_schemas(definitions["fault"])}}}};
  definitions.erase("fault");
  auto lock_names = ordered_json::array();
  for (const auto& [name, type] : locks()) {
    lock_names.push_back(name);
    if (type->store == StoreKind::mysql) lock_names.push_back(name + "+found_rows");
  }
  definitions["lock"] = {{"enum", lock_names}};
  definitions["property"] = {{"enum", promisable_properties()}};
  definitions["phase"] = {{"enum", phase_names()}};
  return out;
}

}  // namespace

void add_schema(CLI::App& app, int&) {
  CLI::App* command = app.add_subcommand("schema", "Print the JSON Schema of scenarios");
  command->callback([] { std::printf("%s\n", schema().dump(1).c_str()); });
}

}  // namespace holdfast
