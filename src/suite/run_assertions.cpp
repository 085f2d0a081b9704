#include "suite/run_assertions.hpp"

#include <map>
#include <tuple>

namespace holdfast {

std::vector<AssertionRecord> run_assertions(const std::vector<Cell>& cells) {
  std::map<std::tuple<std::string, AssertionKind, std::string>, AssertionCount> all;
  for (const Cell& cell : cells) {
    const std::string lock = cell.lock.substr(0, cell.lock.find('+'));
    for (const TrialResult& trial : cell.trials) {
      for (const PropertyVerdict& property : trial.verdict.properties) {
        for (const AssertionCount& one : property.assertions) {
          AssertionCount& sum =
              all.try_emplace({lock, one.kind, one.name}, AssertionCount{one.kind, one.name, 0, 0}).first->second;
          sum.held = more_evaluations(sum.held, one.held);
          sum.failed = more_evaluations(sum.failed, one.failed);
        }
      }
    }
  }
  std::vector<AssertionRecord> out;
  for (const auto& [place, sum] : all) out.push_back({std::get<0>(place), sum, is_reached(sum)});
  return out;
}

}  // namespace holdfast
