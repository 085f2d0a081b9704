#include "reports/causes_once.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "artifact/property_words.hpp"
#include "reports/finding.hpp"
#include "reports/narration.hpp"
#include "reports/run_changes.hpp"

namespace holdfast {
namespace {

// What makes two findings one; how often controls held may differ of what explains itself. Empty: it is by itself.
std::string name_of_cause(const RunVerdict& run, const Cell& cell) {
  const Finding found = finding_of(run, cell);
  if (cell.outcome != Outcome::unexpected || found.witness == nullptr) return "";
  const std::string kind = found.witness->kind;
  const KindWords* words = find_kind(kind);
  const bool explains_itself = words != nullptr && words->leads_to_more;
  const std::string suggestion = explains_itself ? "" : narrate(found, nullptr).suggestion;
  return fmt::format("{}\n{}\n{}\n{}", cell.lock, found.property->property, kind, suggestion);
}

bool has_confirmed_fault(const Cell& cell) {
  return std::any_of(cell.trials.begin(), cell.trials.end(), [](const TrialResult& trial) {
    return std::any_of(trial.causes.begin(), trial.causes.end(), [](const CauseFinding& cause) {
      return cause.of_fault && cause.state == CauseState::confirmed;
    });
  });
}

// What is known explains nothing that is new.
bool explains(const RunVerdict& run, const Cell& first, const Cell& other) {
  if (first.outcome != Outcome::unexpected || other.outcome != Outcome::unexpected) return false;
  if (novelty_of(run, first) != novelty_of(run, other)) return false;
  if (without_fault(first) && first.lock == other.lock && !has_confirmed_fault(other)) return true;
  const std::string cause = name_of_cause(run, first);
  return !cause.empty() && cause == name_of_cause(run, other);
}

}  // namespace

std::vector<CauseOnce> causes_once(const RunVerdict& run) {
  std::vector<const Cell*> cells = not_as_expected(run);
  std::stable_sort(cells.begin(), cells.end(), [](const Cell* a, const Cell* b) {
    const auto simple = [](const Cell* cell) { return cell->outcome == Outcome::unexpected && without_fault(*cell); };
    return simple(a) && !simple(b);
  });
  std::vector<CauseOnce> out;
  for (const Cell* cell : cells) {
    const auto same = std::find_if(out.begin(), out.end(),
                                   [&](const CauseOnce& cause) { return explains(run, *cause.first, *cell); });
    if (same == out.end()) {
      out.push_back({cell, {}});
    } else {
      same->others.push_back(cell);
    }
  }
  return out;
}

}  // namespace holdfast
