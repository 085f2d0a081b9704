// Faults carried out to their ends on a made-up world, and what became of them.
#pragma once

#include <string>
#include <thread>
#include <vector>

#include "nemesis/nemesis.hpp"
#include "tests/nemesis/fake_world.hpp"
#include "tests/nemesis/fault_specs.hpp"

namespace holdfast {

using Tellings = std::vector<std::string>;

// Carries the faults out to their ends.
inline NemesisReport carried_out(FakeWorld& world, const std::vector<FaultSpec>& specs, Sabotage sabotage = {}) {
  Nemesis nemesis(world, specs, sabotage);
  nemesis.start();
  while (!nemesis.early_acted()) std::this_thread::yield();
  while (!nemesis.all_healed()) std::this_thread::yield();
  return nemesis.finish();
}

inline std::string only_error(const NemesisReport& report) {
  return report.errors.size() == 1 ? report.errors[0] : std::to_string(report.errors.size()) + " errors";
}

}  // namespace holdfast
