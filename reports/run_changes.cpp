#include "reports/run_changes.hpp"

#include <fmt/format.h>

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

Novelty novelty_of(const RunVerdict& run, const Cell& cell) {
  bool known = false;
  bool unknown = false;
  for (const auto& change : run.changes) {
    if (change.lock != cell.lock || change.scenario != cell.scenario || change.bad == 0) continue;
    if (change.change == Change::fresh) return Novelty::news;
    unknown = unknown || change.change == Change::unknown;
    known = true;
  }
  if (unknown) return Novelty::unknown;
  return known ? Novelty::known : Novelty::news;
}

}  // namespace holdfast
