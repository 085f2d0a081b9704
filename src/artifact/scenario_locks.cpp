// What single locks have of their own in a scenario: other settings, and the paired control of what they get wrong.
#include <algorithm>

#include "artifact/error.hpp"
#include "artifact/scenario_tables.hpp"

namespace holdfast {
namespace {

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
  if (lock != nullptr && control.lock.empty()) lock->refuse("name a lock; without the key it is the cell's own");
}

void read_removes(ObjectReader& in, PairedControl& control) {
  control.removes = in.required("removes", in.text("removes"));
  if (control.removes.empty()) in.node("removes")->refuse("say what the control does without");
}

// Unlike per_lock, a control differs from its cell, so each lock's control starts from that lock's settings.
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

}  // namespace

const std::vector<JsonKey<PairedControl>>& control_keys() {
  static const std::vector<JsonKey<PairedControl>> kAll{
      {"lock", {{"$ref", "#/definitions/lock"}}, "", read_lock, nullptr, {}},
      {"removes",
       {{"type", "string"}, {"minLength", 1}},
       "what the control does without, in words",
       read_removes,
       nullptr},
  };
  return kAll;
}

// What one lock has of its own starts from what all have.
const std::vector<JsonKey<Scenario>>& lock_settings_keys() {
  // Whoever makes the whole schema fills in the keys of these objects.
  const Schema by_lock{{"type", "object"},
                       {"additionalProperties", {{"type", "object"}, {"additionalProperties", false}}}};
  Schema by_name = by_lock;
  by_name["propertyNames"] = {{"$ref", "#/definitions/lock"}};
  static const std::vector<JsonKey<Scenario>> kAll{
      {"per_lock", by_name, "what one lock has instead of the scenario's own", read_per_lock, nullptr, {}},
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

void read_lock_settings(ObjectReader& in, Scenario& scenario) {
  read_keys(lock_settings_keys(), in, scenario);
}

}  // namespace holdfast
