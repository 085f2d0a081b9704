#include "plan/make_plan.hpp"

#include <algorithm>

#include "artifact/error.hpp"

namespace holdfast {
namespace {

// SplitMix64 (Steele, Lea, Flood 2014): any two seeds give unrelated streams.
std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31U);
}

// FNV-1a: gives the same seed for a cell's name on every machine.
std::uint64_t hash(const std::string& text, std::uint64_t h) {
  for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return h;
}

Plan plan_of(const std::string& scenario, const std::string& lock, const Settings& settings, std::uint64_t seed) {
  Plan plan;
  plan.lock = lock;
  plan.scenario = scenario;
  plan.seed = seed;
  plan.load = settings.load;
  plan.server = settings.server;
  plan.faults = settings.faults;
  plan.minima = settings.minima;
  for (std::uint32_t c = 0; c < plan.load.clients; ++c) {
    const bool shares = c < plan.load.shared_addresses;
    plan.clients.push_back({c, shares ? 0 : c, mix(plan.seed + c), false});
  }
  // Adds one spare per fault: whether a fault ends its victim is not known here. The spare's node is the victim's,
  // chosen at run time.
  for (std::uint32_t s = 0; s < plan.faults.size(); ++s) {
    const auto c = static_cast<std::uint32_t>(plan.load.clients) + s;
    plan.clients.push_back({c, 0, mix(plan.seed + c), true});
  }
  return plan;
}

std::uint64_t seed_of(const Scenario& scenario, const std::string& lock, std::uint64_t run_seed, int trial) {
  if (scenario.seed_name.empty()) return trial_seed(run_seed, lock, scenario.name, trial);
  return named_seed(run_seed, scenario.seed_name, trial);
}

}  // namespace

std::uint64_t trial_seed(std::uint64_t run_seed, const std::string& lock, const std::string& scenario, int trial) {
  return named_seed(run_seed, lock + "/" + scenario, trial);
}

std::uint64_t named_seed(std::uint64_t run_seed, const std::string& cell, int trial) {
  const std::uint64_t name = hash(cell, 0xcbf29ce484222325ULL);
  // Mixed one after another: a sum of the three would give run 1, trial 2 the seed of run 2, trial 1.
  return mix(mix(mix(run_seed) ^ name) + static_cast<std::uint64_t>(trial));
}

Plan make_plan(const Scenario& scenario, const std::string& lock, std::uint64_t run_seed, int trial) {
  return plan_of(scenario.name, lock, scenario.settings_of(lock), seed_of(scenario, lock, run_seed, trial));
}

// The plan's last clients are spares, one for each fault.
Plan without_faults(Plan plan, const std::vector<std::string>& faults) {
  const auto removed = std::remove_if(plan.faults.begin(), plan.faults.end(), [&faults](const FaultSpec& spec) {
    return std::find(faults.begin(), faults.end(), spec.fault) != faults.end();
  });
  const auto gone = static_cast<std::size_t>(plan.faults.end() - removed);
  plan.faults.erase(removed, plan.faults.end());
  for (std::size_t i = 0; i < gone && !plan.clients.empty() && plan.clients.back().spare; ++i) plan.clients.pop_back();
  return plan;
}

Plan make_control_plan(const Scenario& scenario, const std::string& lock, std::uint64_t run_seed, int trial) {
  const PairedControl* control = scenario.control_of(lock);
  if (control == nullptr) throw HarnessError("the cell " + lock + "/" + scenario.name + " has no control");
  return plan_of(scenario.name, control->lock.empty() ? lock : control->lock, control->settings,
                 seed_of(scenario, lock, run_seed, trial));
}

}  // namespace holdfast
