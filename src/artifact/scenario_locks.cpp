// What single locks have of their own in a scenario: other settings, and the paired control of what they get wrong.
#include <algorithm>

#include "artifact/error.hpp"
#include "artifact/scenario.hpp"

namespace holdfast {
namespace {

void check_lock(const Scenario& scenario, const std::string& lock, const JsonNode& place) {
  if (std::find(scenario.locks.begin(), scenario.locks.end(), lock) == scenario.locks.end()) {
    place.refuse(unknown_word("lock of this scenario", lock, scenario.locks));
  }
}

void read_settings(ObjectReader& in, Settings& settings) {
  read_load_keys(in, settings.load);
  read_server(in, settings.server);
  read_exposure(in, settings.minima);
  if (in.node("faults") != nullptr) settings.faults = read_faults(in);
}

void read_per_lock(ObjectReader& in, Scenario& scenario) {
  const JsonNode* all = in.node("per_lock");
  if (!all) return;
  ObjectReader(*all).object();
  for (const auto& [lock, own] : all->members) {
    check_lock(scenario, lock, own);
    Settings settings = scenario.settings_of(lock);
    ObjectReader keys(own);
    read_settings(keys, settings);
    keys.finish();
    scenario.per_lock[lock] = std::move(settings);
  }
}

// Unlike per_lock, a control differs from its cell, so each lock's control starts from that lock's settings.
PairedControl read_control(const JsonNode& own, Settings base) {
  ObjectReader in(own);
  PairedControl control;
  if (const auto lock = in.text("lock")) {
    if (lock->empty()) own.find("lock")->refuse("name a lock; without the key it is the cell's own");
    control.lock = *lock;
  }
  control.removes = in.required("removes", in.text("removes"));
  if (control.removes.empty()) own.find("removes")->refuse("say what the control does without");
  control.settings = std::move(base);
  read_settings(in, control.settings);
  in.finish();
  return control;
}

void read_controls(ObjectReader& in, Scenario& scenario) {
  const JsonNode* all = in.node("control");
  if (!all) return;
  ObjectReader(*all).object();
  for (const auto& [lock, own] : all->members) {
    if (lock != "*") {
      check_lock(scenario, lock, own);
      scenario.controls[lock] = read_control(own, scenario.settings_of(lock));
      continue;
    }
    for (const auto& each : scenario.locks) {
      if (all->find(each) == nullptr) scenario.controls[each] = read_control(own, scenario.settings_of(each));
    }
  }
}

}  // namespace

Settings Scenario::settings_of(const std::string& lock) const {
  const auto own = per_lock.find(lock);
  return own == per_lock.end() ? Settings{load, server, minima, faults} : own->second;
}

const PairedControl* Scenario::control_of(const std::string& lock) const {
  const auto own = controls.find(lock);
  return own == controls.end() ? nullptr : &own->second;
}

void read_lock_settings(ObjectReader& in, Scenario& scenario) {
  read_per_lock(in, scenario);
  read_controls(in, scenario);
}

}  // namespace holdfast
