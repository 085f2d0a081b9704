#include "reports/run_changes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "reports/durations.hpp"

namespace holdfast {
namespace {

std::string in_trials(std::int64_t bad, std::int64_t judged) {
  if (judged == 0) return "in no trial that was judged";
  return fmt::format("in {} of {}", bad, plural(judged, "trial", "trials"));
}

}  // namespace

std::string change_text(const RunChange& c) {
  return fmt::format("{}/{}, {}: not as expected {} before, {} now; {}", c.lock, c.scenario, c.property,
                     in_trials(c.bad_before, c.judged_before), in_trials(c.bad, c.judged), c.why);
}

bool is_known(const RunVerdict& run, const Cell& cell) {
  if (run.baseline.empty() || (cell.outcome != Outcome::missed && cell.outcome != Outcome::unexpected)) return false;
  bool any = false;
  for (const auto& change : run.changes) {
    if (change.lock != cell.lock || change.scenario != cell.scenario || change.bad == 0) continue;
    if (change.change != Change::still && change.change != Change::flaky) return false;
    any = true;
  }
  return any;
}

std::vector<const RunChange*> changes_of(const RunVerdict& run, Change wanted) {
  std::vector<const RunChange*> out;
  for (const auto& change : run.changes) {
    if (change.change == wanted) out.push_back(&change);
  }
  return out;
}

}  // namespace holdfast
