#include "artifact/scenario.hpp"

#include <algorithm>
#include <filesystem>

#include "artifact/error.hpp"
#include "artifact/plain_file.hpp"
#include "artifact/property_words.hpp"
#include "artifact/scenario_tables.hpp"
#include "artifact/verdict.hpp"

namespace holdfast {
namespace {

void check_expectation(const JsonNode& node) {
  if (node.kind != JsonNode::Kind::text) node.refuse("expected a string");
  const std::string word = node.text.substr(0, node.text.find(':'));
  Judgement judgement{};
  if (!from_text(word, judgement) && word != "not_judged" && word != "allowed") {
    node.refuse(
        unknown_word("verdict", word,
                     {"holds", "violated", "allowed", "undecided", "not_exercised", "not_applicable", "not_judged"}));
  }
  if (word != "violated" && word != "allowed" && word != node.text) {
    node.refuse("only 'violated' and 'allowed' have kinds");
  }
}

// A lock's name as a key of `expect` or `why`.
void check_lock_or_star(const Scenario& scenario, const std::string& lock, const JsonNode& place) {
  if (lock != "*" && std::find(scenario.locks.begin(), scenario.locks.end(), lock) == scenario.locks.end()) {
    place.refuse(unknown_word("lock of this scenario", lock, scenario.locks));
  }
}

void read_locks(ObjectReader& in, Scenario& scenario) {
  scenario.locks = in.required("locks", in.texts("locks"));
  if (scenario.locks.empty()) in.node("locks")->refuse("name at least one lock");
  for (std::size_t i = 0; i < scenario.locks.size(); ++i) {
    const auto first = std::find(scenario.locks.begin(), scenario.locks.end(), scenario.locks[i]);
    if (first - scenario.locks.begin() == static_cast<std::ptrdiff_t>(i)) continue;
    in.node("locks")->items[i].refuse("duplicate '" + *first + "'");
  }
}

void read_expect(ObjectReader& in, Scenario& scenario) {
  const JsonNode* expect = in.node("expect");
  if (!expect)
    in.object().refuse(
        "'expect' is missing: state the verdict expected of each lock; remedy: \"expect\": {\"*\": {}} if every lock "
        "must keep every promise");
  const auto known = promisable_properties();
  for (const auto& [lock, properties] : ObjectReader(*expect).object().members) {
    check_lock_or_star(scenario, lock, properties);
    ObjectReader(properties).object();
    for (const auto& [property, verdict] : properties.members) {
      if (std::find(known.begin(), known.end(), property) == known.end()) {
        verdict.refuse(unknown_word("property", property, known));
      }
      check_expectation(verdict);
      scenario.expect[lock][property] = verdict.text;
    }
    if (properties.members.empty()) scenario.expect[lock] = {};
  }
}

void read_why(ObjectReader& in, Scenario& scenario) {
  if (const JsonNode* why = in.node("why")) {
    for (const auto& [lock, reason] : ObjectReader(*why).object().members) {
      check_lock_or_star(scenario, lock, reason);
      if (reason.kind != JsonNode::Kind::text) reason.refuse("expected a string");
      scenario.why[lock] = reason.text;
    }
  }
  for (const auto& lock : scenario.locks) {
    for (const auto& [property, verdict] : scenario.expected_of(lock)) {
      if (verdict.rfind("violated", 0) == 0 && scenario.why_of(lock).empty()) {
        in.object().refuse("'why' is missing for '" + lock + "': every expected violation needs a reason");
      }
    }
  }
}

std::vector<std::string> entries_of(const std::string& folder) {
  std::vector<std::string> out;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) out.push_back(entry.path().string());
  std::sort(out.begin(), out.end());
  return out;
}

std::vector<std::string> scenario_files(const std::string& folder) {
  std::vector<std::string> out = entries_of(folder);
  std::erase_if(out, [](const auto& file) { return std::filesystem::path(file).extension() != ".json"; });
  return out;
}

void check_named_lock(const Scenario& scenario, const std::string& lock, const JsonNode& place) {
  if (std::find(scenario.locks.begin(), scenario.locks.end(), lock) == scenario.locks.end()) {
    place.refuse(unknown_word("lock of this scenario", lock, scenario.locks));
  }
}

void read_settings(ObjectReader& in, Settings& settings) {
  read_load_keys(in, settings.load);
  read_server(in, settings.server);
  read_coverage(in, settings.minima);
  if (in.node("faults") != nullptr) settings.faults = read_faults(in);
}

void read_lock(ObjectReader& in, PairedControl& control) {
  control.lock = in.text("lock").value_or("");
  const JsonNode* lock = in.node("lock");
  if (lock != nullptr && control.lock.empty())
    lock->refuse(
        "name a lock, or leave the key out for the cell's own "
        "lock");
}

void read_removes(ObjectReader& in, PairedControl& control) {
  control.removes = in.required("removes", in.text("removes"));
  if (control.removes.empty()) in.node("removes")->refuse("describe what the control leaves out");
}

// Unlike per_lock settings, a control belongs to a cell, so each lock's control starts from that lock's settings.
PairedControl read_control(const JsonNode& own, Settings base) {
  ObjectReader in(own);
  PairedControl control;
  read_keys(control_keys(), in, control);
  control.settings = std::move(base);
  read_settings(in, control.settings);
  in.finish();
  return control;
}

void read_per_lock(ObjectReader& in, Scenario& scenario) {
  const JsonNode* all = in.node("per_lock");
  if (!all) return;
  ObjectReader(*all).object();
  for (const auto& [lock, own] : all->members) {
    check_named_lock(scenario, lock, own);
    Settings settings = scenario.settings_of(lock);
    ObjectReader keys(own);
    read_settings(keys, settings);
    keys.finish();
    scenario.per_lock[lock] = std::move(settings);
  }
}

void read_controls(ObjectReader& in, Scenario& scenario) {
  const JsonNode* all = in.node("control");
  if (!all) return;
  ObjectReader(*all).object();
  for (const auto& [lock, own] : all->members) {
    if (lock != "*") {
      check_named_lock(scenario, lock, own);
      scenario.controls[lock] = read_control(own, scenario.settings_of(lock));
      continue;
    }
    for (const auto& each : scenario.locks) {
      if (all->find(each) == nullptr) scenario.controls[each] = read_control(own, scenario.settings_of(each));
    }
  }
}

// Reads `per_lock` and `control`; `scenario` already has its locks and its own settings.
void read_lock_settings(ObjectReader& in, Scenario& scenario) {
  read_keys(lock_settings_keys(), in, scenario);
}

}  // namespace

std::map<std::string, std::string> Scenario::expected_of(const std::string& lock) const {
  if (const auto own = expect.find(lock); own != expect.end()) return own->second;
  if (const auto all = expect.find("*"); all != expect.end()) return all->second;
  return {};
}

std::string Scenario::why_of(const std::string& lock) const {
  if (const auto own = why.find(lock); own != why.end()) return own->second;
  if (const auto all = why.find("*"); all != why.end()) return all->second;
  return "";
}

const std::vector<JsonKey<Scenario>>& scenario_keys() {
  const Schema locks{{"type", "array"}, {"minItems", 1}, {"uniqueItems", true}, {"items", reference_to("lock")}};
  const Schema by_lock{{"type", "object"},
                       {"additionalProperties", {{"type", "object"}, {"additionalProperties", false}}}};
  const Schema texts{{"type", "object"}, {"additionalProperties", {{"type", "string"}}}};
  static const std::vector<JsonKey<Scenario>> kAll{
      {"$schema", {{"type", "string"}}, "", [](ObjectReader& in, Scenario&) { in.text("$schema"); }, nullptr, {}},
      text_key("about", &Scenario::about, {{"type", "string"}}, "one sentence for the reader"),
      {"locks",
       locks,
       "the locks; LOCK+VARIANT if connections to the lock's server have variants",
       read_locks,
       nullptr,
       {}},
      {"faults",
       reference_to("faults"),
       "",
       [](ObjectReader& in, Scenario& out) { out.faults = read_faults(in); },
       nullptr,
       {}},
      {"coverage",
       reference_to("coverage"),
       "",
       [](ObjectReader& in, Scenario& out) { read_coverage(in, out.minima); },
       nullptr,
       {}},
      {"expect",
       by_lock,
       "lock or * -> property -> verdict; a property without an entry must hold or not apply",
       read_expect,
       nullptr,
       {}},
      {"why", texts, "lock or * -> the reason for the expected verdict", read_why, nullptr, {}},
  };
  return kAll;
}

Scenario load_scenario(const InputFile& file) {
  return read_scenario(parse_json_text(read_text_file(file), file.path()), file.path());
}

Scenario read_scenario(JsonNode source, const std::string& path) {
  const std::filesystem::path file(path);
  Scenario scenario;
  scenario.name = file.stem().string();
  scenario.suite = std::filesystem::absolute(file).parent_path().filename().string();
  scenario.source = std::move(source);
  ObjectReader in(scenario.source);
  read_load_keys(in, scenario.load);
  read_server(in, scenario.server);
  read_keys(scenario_keys(), in, scenario);
  read_lock_settings(in, scenario);
  in.finish();
  return scenario;
}

std::vector<Scenario> load_suite(const std::string& path) {
  if (!std::filesystem::is_directory(path)) return {load_scenario(path)};
  std::vector<std::string> files = scenario_files(path);
  for (const auto& suite : files.empty() ? entries_of(path) : std::vector<std::string>{}) {
    if (!std::filesystem::is_directory(suite)) continue;
    for (auto& file : scenario_files(suite)) files.push_back(std::move(file));
  }
  if (files.empty()) throw BadInput(path + ": no scenario (*.json) in this folder or its subfolders");
  std::vector<Scenario> all;
  all.reserve(files.size());
  for (const auto& file : files) all.push_back(load_scenario(found_file(file)));
  return all;
}

const std::vector<JsonKey<PairedControl>>& control_keys() {
  static const std::vector<JsonKey<PairedControl>> kAll{
      {"lock", {{"$ref", "#/definitions/lock"}}, "", read_lock, nullptr, {}},
      {"removes",
       {{"type", "string"}, {"minLength", 1}},
       "text that describes what the control leaves out",
       read_removes,
       nullptr},
  };
  return kAll;
}

// Settings of a single lock override those for all locks.
const std::vector<JsonKey<Scenario>>& lock_settings_keys() {
  // The caller that builds the whole schema adds the keys of these objects.
  const Schema by_lock{{"type", "object"},
                       {"additionalProperties", {{"type", "object"}, {"additionalProperties", false}}}};
  Schema by_name = by_lock;
  by_name["propertyNames"] = {{"$ref", "#/definitions/lock"}};
  static const std::vector<JsonKey<Scenario>> kAll{
      {"per_lock", by_name, "settings of one lock that replace the scenario's", read_per_lock, nullptr, {}},
      {"control",
       by_lock,
       "lock or * -> the same plan with the flaw removed, which must hold (run --controls)",
       read_controls,
       nullptr,
       {}},
  };
  return kAll;
}

Settings Scenario::settings_of(const std::string& lock) const {
  const auto own = per_lock.find(lock);
  return own == per_lock.end() ? Settings{load, server, minima, faults} : own->second;
}

const PairedControl* Scenario::control_of(const std::string& lock) const {
  const auto own = controls.find(lock);
  return own == controls.end() ? nullptr : &own->second;
}

}  // namespace holdfast
