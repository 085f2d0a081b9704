#include "reports/run_changes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "reports/durations.hpp"

namespace holdfast {
namespace {

std::string in_trials(const RunChange& c, bool first) {
  if (c.judged == 0) return "in no judged trial";
  return first ? fmt::format("in {} of {}", c.bad, plural(c.judged, "trial", "trials"))
               : fmt::format("in {} of {}", c.bad, c.judged);
}

// The reason, if the numbers do not show it.
std::string before_text(const RunChange& c) {
  if (c.judged_before == 0) return c.why;
  const std::string numbers = fmt::format("{} of {} before", c.bad_before, c.judged_before);
  return c.change == Change::unknown ? numbers + "; " + c.why : numbers;
}

bool same_place(const RunChange& a, const RunChange& b) {
  return a.lock == b.lock && a.scenario == b.scenario && a.change == b.change;
}

bool same_numbers(const RunChange& a, const RunChange& b) {
  return a.bad == b.bad && a.judged == b.judged && a.bad_before == b.bad_before && a.judged_before == b.judged_before &&
         a.why == b.why;
}

// "mutual_exclusion, resource in 2 of 3 trials (0 of 3 before); progress in 1 of 3 (0 of 3 before)"
std::string line_text(const std::vector<const RunChange*>& changes) {
  std::string out;
  std::vector<bool> told(changes.size());
  for (std::size_t i = 0; i < changes.size(); ++i) {
    if (told[i]) continue;
    const bool first = out.empty();
    std::string names;
    for (std::size_t j = i; j < changes.size(); ++j) {
      if (told[j] || !same_numbers(*changes[i], *changes[j])) continue;
      told[j] = true;
      names += (names.empty() ? "" : ", ") + changes[j]->property;
    }
    out +=
        fmt::format("{}{} {} ({})", first ? "" : "; ", names, in_trials(*changes[i], first), before_text(*changes[i]));
  }
  return out;
}

// Each place once, in the order of its first change.
std::vector<std::vector<const RunChange*>> by_place(const std::vector<const RunChange*>& changes) {
  std::vector<std::vector<const RunChange*>> out;
  for (const RunChange* change : changes) {
    const auto known =
        std::find_if(out.begin(), out.end(), [&](const auto& place) { return same_place(*place.front(), *change); });
    if (known == out.end()) {
      out.push_back({change});
    } else {
      known->push_back(change);
    }
  }
  return out;
}

}  // namespace

std::vector<ChangeLine> change_lines(const RunVerdict& run) {
  std::vector<const RunChange*> all;
  for (const auto& change : run.changes) all.push_back(&change);
  std::vector<ChangeLine> out;
  for (const auto& place : by_place(all)) {
    const RunChange& one = *place.front();
    out.push_back({to_text(one.change), one.lock + "/" + one.scenario + ": " + line_text(place)});
  }
  return out;
}

std::vector<ChangeLine> change_lines(const RunVerdict& run, const Cell& cell) {
  std::vector<const RunChange*> own;
  for (const auto& change : run.changes) {
    if (change.lock == cell.lock && change.scenario == cell.scenario) own.push_back(&change);
  }
  std::vector<ChangeLine> out;
  for (const auto& place : by_place(own)) out.push_back({to_text(place.front()->change), line_text(place)});
  return out;
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
