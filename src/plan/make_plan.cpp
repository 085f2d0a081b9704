#include "plan/make_plan.hpp"

namespace holdfast {
namespace {

// SplitMix64 (Steele, Lea, Flood 2014): any two seeds give unrelated streams.
std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31U);
}

// FNV-1a, so that a cell's name gives the same seed on every machine.
std::uint64_t hash(const std::string& text, std::uint64_t h) {
  for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return h;
}

}  // namespace

std::uint64_t trial_seed(std::uint64_t run_seed, const std::string& lock, const std::string& scenario, int trial) {
  const std::uint64_t name = hash(lock + "/" + scenario, 0xcbf29ce484222325ULL);
  // One after the other: a sum of the three would give run 1, trial 2 the seed of run 2, trial 1.
  return mix(mix(mix(run_seed) ^ name) + static_cast<std::uint64_t>(trial));
}

Plan make_plan(const Scenario& scenario, const std::string& lock, std::uint64_t run_seed, int trial) {
  Plan plan;
  plan.lock = lock;
  plan.scenario = scenario.name;
  plan.seed = trial_seed(run_seed, lock, scenario.name, trial);
  plan.load = scenario.load_of(lock);
  plan.server = scenario.server;
  plan.faults = scenario.faults_of(lock);
  plan.minima = scenario.minima_of(lock);
  for (std::uint32_t c = 0; c < plan.load.clients; ++c) {
    const bool shares = c < plan.load.shared_addresses;
    plan.clients.push_back({c, shares ? 0 : c, mix(plan.seed + c), false});
  }
  // One a fault: whether a fault ends its victim is not known here. The node is that of the victim, known then.
  for (std::uint32_t s = 0; s < plan.faults.size(); ++s) {
    const auto c = static_cast<std::uint32_t>(plan.load.clients) + s;
    plan.clients.push_back({c, 0, mix(plan.seed + c), true});
  }
  return plan;
}

}  // namespace holdfast
