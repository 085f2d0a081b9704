// `holdfast schema [NAME]`: JSON Schemas (draft-07). The one for scenarios, for editors, is built from the tables of
// keys from which scenarios are read (artifact/scenario_tables.hpp) and from the catalogues' names and settings; those
// of the program's own files (verdicts, comparisons, envelopes, results of explore) from the tables of their fields
// (artifact/json_fields.hpp). Those of the adapter protocol and of lock.json are built from the tables from which both
// are read (adapter/message_rows.hpp, adapter/manifest_keys.hpp). docs/ has each one's output as NAME.schema.json,
// checked by a test; the one of try is written there by hand.
#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>

#include "adapter/manifest.hpp"
#include "adapter/message_rows.hpp"
#include "artifact/capacity.hpp"
#include "artifact/comparison.hpp"
#include "artifact/curve.hpp"
#include "artifact/envelope.hpp"
#include "artifact/error.hpp"
#include "artifact/property_words.hpp"
#include "artifact/run_verdict.hpp"
#include "artifact/scenario_tables.hpp"
#include "cli/command.hpp"
#include "cli/help_text.hpp"
#include "cli/terminal.hpp"
#include "control/phase.hpp"
#include "explore/explore_result.hpp"
#include "history/otlp_mapping.hpp"
#include "lock/lock.hpp"
#include "nemesis/fault.hpp"
#include "reports/markdown_text.hpp"
#include "servers/server_type.hpp"
#include "soak/soak.hpp"
#include "suite/check_names.hpp"

namespace holdfast {

std::string_view embedded_docs_schema(std::string_view name);  // CMakeLists.txt

namespace {

using nlohmann::ordered_json;

constexpr const char* kKeyPageHead = R"(## All keys

`holdfast schema --keys` prints these tables; a test compares this page with its output. The schema also has the keys
of each fault and of each kind of server.

)";

constexpr const char* kManifestPageHead = R"(## All keys of lock.json

`holdfast schema manifest --keys` prints this table. `name`, `command` and `servers` are required.

)";

class KeyPage {
 public:
  explicit KeyPage(const ordered_json& schema) : schema_(schema) {}

  std::string text() const {
    const ordered_json& all = schema_.at("properties");
    const ordered_json& own = all.at("per_lock").at("additionalProperties").at("properties");
    ordered_json load, rest;
    for (const auto& [key, value] : all.items()) (own.contains(key) && !by_name(value) ? load : rest)[key] = value;
    ordered_json control = all.at("control").at("additionalProperties").at("properties");
    for (const auto& [key, value] : own.items()) control.erase(key);
    Markdown out = table(Literal("A scenario:"), rest);
    out += table(Literal("Load and server, also allowed in `per_lock` and `control`:"), load);
    out += table(Literal("A `control` also has:"), control);
    out += table(Literal("`coverage`, the minimum that a `holds` needs:"), keys_of("coverage"));
    out +=
        table(Literal("Each entry of `faults`:"), definition("faults").at("items").at("oneOf").at(0).at("properties"));
    out +=
        table(Literal("The injection point of a fault, `at`, and without `time_ms` also `until`:"), keys_of("moment"));
    std::string all_tables = kKeyPageHead + out.text();
    all_tables.pop_back();  // the blank line after the last one
    return all_tables;
  }

  std::string manifest() const {
    ordered_json keys = schema_.at("properties");
    keys.erase("$schema");
    return kManifestPageHead + table(Literal("Durations are in milliseconds:"), keys).text();
  }

 private:
  const ordered_json& definition(const std::string& name) const { return schema_.at("definitions").at(name); }
  const ordered_json& keys_of(const std::string& name) const { return definition(name).at("properties"); }

  static std::string name_of(const ordered_json& value) {
    if (!value.contains("$ref")) return "";
    const std::string ref = value.at("$ref");
    return ref.substr(ref.rfind('/') + 1);
  }

  // Values with tables of their own, or too long for a table.
  static bool by_name(const ordered_json& value) {
    static const std::set<std::string> kNames{"moment", "point", "coverage", "faults", "lock"};
    return kNames.contains(name_of(value));
  }

  Markdown table(Literal about, const ordered_json& keys) const {
    Markdown out = markdown("{}\n\n", about);
    out += table_head({Literal("key"), Literal("value"), Literal("if absent"), Literal("meaning")});
    for (const auto& [key, value] : keys.items()) {
      const Markdown absent = value.contains("default") ? code(text_of_json(value.at("default"))) : Markdown();
      out += table_row({code(key), words(value), absent, prose(value.value("description", ""))});
    }
    return out += Literal("\n");
  }

  Markdown words(const ordered_json& value) const {
    if (by_name(value)) return markdown("{}", name_of(value));
    if (const std::string name = name_of(value); !name.empty()) return words(definition(name));
    if (value.contains("const")) return Literal("a fault's name");
    if (value.contains("enum"))
      return any_of(value.at("enum"), Literal(", "),
                    [](const auto& one) { return code(one.template get<std::string>()); });
    if (value.contains("oneOf")) {
      return any_of(value.at("oneOf"), Literal(" or "), [this](const auto& one) { return words(one); });
    }
    if (value.contains("minimum")) {
      return markdown("{} to {}", std::to_string(value.at("minimum").get<std::int64_t>()),
                      std::to_string(value.at("maximum").get<std::int64_t>()));
    }
    const ordered_json& type = value.at("type");
    if (type.is_array()) return Literal("text or `null`");
    if (type == "array") return markdown("list of ({})", words(value.at("items")));
    if (type == "boolean") return Literal("`true`, `false`");
    return type == "string" ? Literal("text") : Literal("object");
  }

  template <typename Say>
  static Markdown any_of(const ordered_json& all, Literal between, Say say) {
    Markdown out;
    for (const auto& one : all) {
      if (!out.empty()) out += between;
      out += say(one);
    }
    return out;
  }

  const ordered_json& schema_;
};

std::string key_page(const ordered_json& schema) {
  return KeyPage(schema).text();
}

std::string manifest_page(const ordered_json& schema) {
  return KeyPage(schema).manifest();
}

// A fault is one from the catalogue, with the common keys and its own.
ordered_json fault_schemas(const ordered_json& common) {
  auto all = ordered_json::array();
  for (const auto& [name, type] : faults()) {
    const auto own = ordered_json::parse(type->settings);
    ordered_json one{{"description", type->about}, {"type", "object"}, {"additionalProperties", false}};
    one["properties"] = common;
    one["properties"]["fault"] = {{"const", name}};
    const std::string everyone = type->needs_any(&CapabilityFacts::one_victim) ? "" : "everyone|";
    one["properties"]["target"]["pattern"] = type->strikes_servers()
                                                 ? "^(server(:[0-9]{1,3}(,[0-9]{1,3})*)?|leader|follower)$"
                                                 : "^(holder|waiter|" + everyone + "client:[0-9]{1,3})$";
    for (const auto& [key, value] : own["properties"].items()) one["properties"][key] = value;
    one["required"] = {"fault", "at"};
    for (const auto& key : own["required"]) one["required"].push_back(key);
    one["not"] = {{"required", {"for_ms", "until"}}};
    if (example_of(*type)->ends_itself()) one["properties"].erase("until");
    all.push_back(one);
  }
  return all;
}

// Each property with its possible expectations: a judgement, or `violated` with kinds it can have.
ordered_json expectations() {
  ordered_json all;
  for (const auto& property : promisable_properties()) {
    std::string kind;
    for (const auto& known : known_kinds(property)) kind += (kind.empty() ? "(" : "|") + known;
    kind += ")";
    const std::string pattern =
        "^(holds|undecided|not_exercised|not_applicable|not_judged|(violated|allowed)(:" + kind + "(," + kind +
        ")*)?)$";
    all[property] = {{"type", "string"}, {"pattern", pattern}};
  }
  return all;
}

ordered_json server_settings() {
  auto all = ordered_json::object();
  for (const auto& [name, type] : server_types()) all.update(ordered_json::parse(type->settings));
  return all;
}

//   "one server; replica: MariaDB and an asynchronous replica of it; ..."
ordered_json topology_schema() {
  std::string about;
  for (const auto& [name, type] : server_types()) {
    for (const auto& topology : type->topologies) {
      const std::string one = std::string(topology.name) + ": " + topology.about;
      if (about.find(one) == std::string::npos) about += (about.empty() ? "" : "; ") + one;
    }
  }
  return {{"enum", topology_names()}, {"description", about}};
}

// Keys of a scenario's load and server that a single lock, or a control, may override.
ordered_json load_properties() {
  ordered_json out = properties_of(load_keys());
  out.update(properties_of(server_keys()));
  out["server"]["properties"] = server_settings();
  out["topology"] = topology_schema();
  return out;
}

ordered_json all_definitions() {
  ordered_json out = scenario_definitions();
  out["faults"] = {
      {"type", "array"}, {"maxItems", kMostFaults}, {"items", {{"oneOf", fault_schemas(properties_of(fault_keys()))}}}};
  auto lock_names = ordered_json::array();
  for (const auto& [name, type] : catalogue_locks()) {
    lock_names.push_back(name);
    for (const auto& variant : server_type(type->server).variant_names()) lock_names.push_back(name + "+" + variant);
  }
  // A user's own lock may have any name of that form.
  out["lock"] = {{"anyOf", {{{"enum", lock_names}}, {{"type", "string"}, {"pattern", "^[a-z0-9]+(_[a-z0-9]+)*$"}}}}};
  out["phase"] = {{"enum", phase_names()}};
  return out;
}

ordered_json scenario_schema() {
  ordered_json properties = properties_of(scenario_keys());
  properties.update(properties_of(lock_settings_keys()));
  const ordered_json load = load_properties();
  ordered_json own = load;
  for (const char* key : {"faults", "coverage"}) own[key] = properties[key];
  ordered_json control = properties_of(control_keys());
  control.update(own);
  const auto fill = [&](const char* key, const ordered_json& with) {
    properties[key]["additionalProperties"]["properties"] = with;
  };
  fill("per_lock", own);
  fill("control", control);
  properties["control"]["additionalProperties"]["required"] = ordered_json::array({"removes"});
  fill("expect", expectations());
  properties.update(load);
  add_defaults(load_keys(), properties);
  add_defaults(server_keys(), properties);
  return {{"$schema", "http://json-schema.org/draft-07/schema#"},
          {"title", "A holdfast scenario"},
          {"description",
           "The locks, the number of clients, the faults and their injection points, and the verdict expected of "
           "each lock. Durations are in milliseconds."},
          {"type", "object"},
          {"required", {"locks", "expect"}},
          {"additionalProperties", false},
          {"properties", properties},
          {"definitions", all_definitions()}};
}

ordered_json verdict_schema() {
  return schema_of_file<RunVerdict>(
      "A holdfast run's verdict",
      "verdict.json in a run's folder, written last. `holdfast_run` is its version, which increases when a key that "
      "every run has is added, removed or changes its meaning. Times are in nanoseconds since the trial began; "
      "64-bit seeds are strings of digits.");
}

// A trial's verdict.json: the part of a run's verdict about one history.
ordered_json trial_schema() {
  return schema_of_file<TrialVerdict>("holdfast's verdict on one history",
                                      "verdict.json in a trial's folder. Times are in nanoseconds since the trial "
                                      "began.");
}

// The same with the file's name, and with `verdict` beside each `judgement`, for other tools.
ordered_json check_schema() {
  auto out = trial_schema();
  out["title"] = "One line of holdfast check --json";
  auto& trial = out["definitions"]["trial"];
  trial["properties"]["file"] = {{"type", "string"}};
  trial["properties"]["not_judged"] = {{"type", "array"},
                                       {"items", {{"type", "string"}}},
                                       {"description", "parts of the history that no property judged"}};
  trial["properties"]["warnings"] = {
      {"type", "array"},
      {"items", {{"type", "string"}}},
      {"description", "reasons to doubt the history, and parts that were not read literally"}};
  for (const char* added : {"file", "not_judged", "warnings"}) trial["required"].push_back(added);
  for (const char* judged : {"trial", "property"}) {
    auto& one = out["definitions"][judged];
    one["properties"]["verdict"] = one["properties"]["judgement"];
    one["required"].push_back("verdict");
  }
  return out;
}

ordered_json compare_schema() {
  return schema_of_file<Comparison>(
      "A comparison by holdfast: compare.json",
      "Times are in nanoseconds of the trial's own clock. docs/compare.md describes the measurements.");
}

ordered_json envelope_schema() {
  return schema_of_file<EnvelopeRun>(
      "Safety envelopes by holdfast: envelope.json",
      "Amounts are in the units of the fault's settings; the amount of a clock that is behind is negative.");
}

ordered_json curve_schema() {
  return schema_of_file<CurveRun>(
      "A curve by holdfast: curve.json",
      "The share of trials in which a lock broke, for each point of its life; docs/curve.md describes the points.");
}

ordered_json explore_schema() {
  return schema_of_file<ExploreResult>(
      "Result of holdfast explore for one lock",
      "Printed by explore LOCK --json; explored.json and explore --all --json have a list of these");
}

ordered_json soak_schema() {
  return schema_of_file<SoakResult>("Result of holdfast soak: soak.json, also printed with --json");
}

ordered_json try_schema() {
  return ordered_json::parse(embedded_docs_schema("try.schema.json"));
}

std::string scenario_keys_page() {
  return key_page(scenario_schema());
}

std::string manifest_keys_page() {
  return manifest_page(manifest_schema());
}

std::string adapter_messages_page() {
  return "## All messages\n\n`holdfast schema adapter --keys` prints these tables. `?` follows an optional field. An "
         "adapter may use a message under `needs` only with that word in `can`.\n\n" +
         adapter_table();
}

struct SchemaOf {
  std::string name;
  ordered_json (*make)();
  std::string (*tables)() = nullptr;  // in Markdown; null: none
};
const std::vector<SchemaOf>& schemas() {
  static const std::vector<SchemaOf> kAll{{"scenario", scenario_schema, scenario_keys_page},
                                          {"verdict", verdict_schema},
                                          {"trial", trial_schema},
                                          {"check", check_schema},
                                          {"compare", compare_schema},
                                          {"envelope", envelope_schema},
                                          {"curve", curve_schema},
                                          {"explore", explore_schema},
                                          {"soak", soak_schema},
                                          {"try", try_schema},
                                          {"adapter", adapter_schema, adapter_messages_page},
                                          {"manifest", manifest_schema, manifest_keys_page},
                                          {"otlp_mapping", otlp_mapping_schema}};
  return kAll;
}

void print_schema(const std::string& name, bool as_tables) {
  for (const auto& one : schemas()) {
    if (one.name != name) continue;
    if (!as_tables) return print_json(one.make());
    if (one.tables != nullptr) return print_file(one.tables());
    throw BadInput("--keys: " + name + " has no tables; remedy: holdfast schema " + name);
  }
}

}  // namespace

void add_schema(CLI::App& app, int&) {
  CLI::App* command = app.add_subcommand("schema", "Print a JSON Schema");
  give_examples(command, {"holdfast schema scenario > scenario.schema.json"});
  auto name = std::make_shared<std::string>("scenario");
  std::vector<std::string> names;
  for (const auto& one : schemas()) names.push_back(one.name);
  constexpr const char* kNames =
      "Schema to print. Files: a scenario, verdict.json of a run or a trial, compare.json, envelope.json, curve.json, "
      "lock.json, the one of check --otlp-mapping. Lines: of check --json, of the adapter protocol. Results: of "
      "explore, soak, try";
  command->add_option("NAME", *name, kNames)->check(CLI::IsMember(names))->capture_default_str();
  auto keys = std::make_shared<bool>(false);
  command->add_flag("--keys", *keys, "Print Markdown tables instead, for scenario, manifest and adapter");
  command->callback([name, keys] { print_schema(*name, *keys); });
}

}  // namespace holdfast
