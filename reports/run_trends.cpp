#include "reports/run_trends.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "artifact/enumeration.hpp"
#include "reports/durations.hpp"
#include "reports/runs_page.hpp"

namespace holdfast {
namespace {

constexpr int kFlakyChanges = 3;

// A run that could not begin has no time; its folder's name begins with one.
bool is_older(const RunLine* a, const RunLine* b) {
  return std::tie(a->started_utc, a->folder) < std::tie(b->started_utc, b->folder);
}

// Where the judged marks change between good and bad.
void follow(CellTrend& out) {
  const RunCell* before = nullptr;
  const auto shown = shown_marks(out).data();
  for (const TrendMark& mark : out.marks) {
    const bool bad = is_bad(mark.cell->outcome);
    if (!bad && !is_good(mark.cell->outcome)) continue;
    const bool is_shown = &mark >= shown;
    if (is_shown) ++out.judged;
    if (bad && out.first_broken == nullptr) out.first_broken = mark.run;
    if (before == nullptr || is_bad(before->outcome) != bad) {
      out.since = mark.run;
      out.runs_since = 0;
      if (before != nullptr && is_shown) ++out.changes;
    }
    ++out.runs_since;
    before = mark.cell;
  }
}

// The marks at the end that no run judged.
void follow_open(CellTrend& out) {
  out.runs_since = 0;
  for (auto mark = out.marks.rbegin(); mark != out.marks.rend(); ++mark) {
    if (is_good(mark->cell->outcome) || is_bad(mark->cell->outcome)) return;
    out.since = mark->run;
    ++out.runs_since;
  }
}

Trend trend_of(const CellTrend& one) {
  const Outcome last = one.cell().outcome;
  const auto shown = shown_marks(one);
  const bool mixed = std::any_of(shown.begin(), shown.end(), [](const TrendMark& mark) { return mark.cell->mixed; });
  if (mixed || one.changes >= kFlakyChanges) return Trend::flaky;
  if (!is_good(last) && !is_bad(last)) return last == Outcome::unavailable ? Trend::steady : Trend::open;
  if (is_bad(last)) return Trend::broken;
  return one.first_broken != nullptr ? Trend::fixed : Trend::steady;
}

void decide(CellTrend& out) {
  follow(out);
  out.trend = trend_of(out);
  if (out.trend == Trend::open) follow_open(out);
  if (out.trend == Trend::steady || out.trend == Trend::flaky) out.since = nullptr;
}

using CellName = std::pair<std::string, std::string>;  // lock and scenario

SuiteTrends trends_in(const std::string& suite, const std::vector<const RunLine*>& runs) {
  SuiteTrends out;
  out.suite = suite;
  std::map<CellName, CellTrend> cells;
  for (const RunLine* run : runs) {
    bool any = false;
    for (const RunCell& cell : run->cells) {
      if (cell.suite != suite) continue;
      any = true;
      cells[{cell.lock, cell.scenario}].marks.push_back({run, &cell});
    }
    if (any) ++out.runs;
  }
  for (auto& [name, one] : cells) {
    decide(one);
    (one.trend == Trend::steady ? out.steady : out.changed).push_back(std::move(one));
  }
  std::stable_sort(out.changed.begin(), out.changed.end(),
                   [](const CellTrend& a, const CellTrend& b) { return a.trend < b.trend; });
  return out;
}

}  // namespace

std::span<const TrendMark> shown_marks(const CellTrend& trend) {
  const std::span<const TrendMark> all(trend.marks);
  return all.last(std::min(all.size(), kShownMarks));
}

const char* to_text(Trend trend) {
  static constexpr EnumWords<Trend> kWords({"broken", "flaky", "open", "fixed", "steady"});
  return kWords[trend];
}

bool is_good(Outcome outcome) {
  return outcome == Outcome::as_expected || outcome == Outcome::allowed || outcome == Outcome::caught;
}

bool is_bad(Outcome outcome) {
  return outcome == Outcome::unexpected || outcome == Outcome::missed;
}

std::string seen_in(const Cell& cell) {
  std::map<std::string, int> shown;
  int judged = 0;
  for (const auto& trial : cell.trials) {
    if (is_good(trial.outcome) || is_bad(trial.outcome)) ++judged;
    for (const auto& property : trial.verdict.properties) {
      if (property.judgement != Judgement::violated) continue;
      for (const auto& [kind, count] : property.kinds) ++shown[property.property + " violated:" + kind];
    }
  }
  std::string out;
  for (const auto& [what, trials] : shown) {
    out += (out.empty() ? "" : "; ") + what;
    if (cell.trials.size() > 1) {
      out += fmt::format(" in {} of {}", trials, plural(std::max(judged, trials), "trial", "trials"));
    }
  }
  return out;
}

RunCell run_cell(const Cell& cell) {
  RunCell out{cell.suite, cell.lock, cell.scenario, cell.outcome, seen_in(cell)};
  const auto any = [&cell](bool (*is)(Outcome)) {
    return std::any_of(cell.trials.begin(), cell.trials.end(),
                       [is](const TrialResult& trial) { return is(trial.outcome); });
  };
  out.mixed = is_bad(cell.outcome) && !cell.until_decided && any(is_good) && any(is_bad);
  return out;
}

std::vector<SuiteTrends> trends_of(const std::vector<RunLine>& runs) {
  std::vector<const RunLine*> sorted;
  std::map<std::string, int> suites;
  for (const auto& run : runs) {
    if (run.cells.empty()) continue;
    sorted.push_back(&run);
    for (const auto& cell : run.cells) suites.try_emplace(cell.suite, 0);
  }
  std::sort(sorted.begin(), sorted.end(), is_older);
  std::vector<SuiteTrends> out;
  for (const auto& [suite, none] : suites) {
    SuiteTrends one = trends_in(suite, sorted);
    if (one.runs > 1) out.push_back(std::move(one));
  }
  return out;
}

}  // namespace holdfast
