#include "compare/run_baseline.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "artifact/error.hpp"
#include "compare/baseline.hpp"
#include "suite/expectation.hpp"

namespace holdfast {
namespace {

constexpr const char* kControl = "control";

std::string cell_key(const Cell& cell) {
  return cell.lock + "/" + cell.scenario;
}

bool came_out_wrong(const TrialResult& trial) {
  return trial.outcome == Outcome::unexpected || trial.outcome == Outcome::missed;
}

std::set<std::string> mismatched(const TrialResult& trial) {
  std::set<std::string> out;
  for (const auto& mismatch : trial.mismatches) out.insert(mismatch.property);
  return out;
}

// A property that is not applicable counts as judged only if its violation was expected.
bool is_judged(const PropertyVerdict& property, bool differs) {
  const bool told = property.judgement == Judgement::holds || property.judgement == Judgement::violated;
  return told || (differs && property.judgement == Judgement::not_applicable);
}

void count_trial(const TrialResult& trial, std::map<std::string, RunBaseline::Counts>& counts) {
  if (trial.outcome == Outcome::harness_error || trial.outcome == Outcome::unavailable) return;
  const auto differs = mismatched(trial);
  const bool wrong = came_out_wrong(trial);
  for (const auto& property : trial.verdict.properties) {
    const bool one = differs.contains(property.property);
    if (!is_judged(property, one)) continue;
    ++counts[property.property].judged;
    counts[property.property].bad += one && wrong ? 1 : 0;
  }
  if (!trial.control || (!trial.control->held && !wrong)) return;
  ++counts[kControl].judged;
  counts[kControl].bad += trial.control->held ? 0 : 1;
}

// A property as stored by --write-baseline.
struct KeptProperty {
  std::string property;
  std::int64_t judged = 0;
  std::int64_t not_as_expected = 0;

  static const JsonForm<KeptProperty>& form();
};

struct KeptCell {
  std::string cell;
  std::vector<KeptProperty> properties;

  static const JsonForm<KeptCell>& form();
};

struct KeptBaseline {
  std::string holdfast;
  std::string suite;
  std::vector<KeptCell> cells;

  static const JsonForm<KeptBaseline>& form();
};

const JsonForm<KeptProperty>& KeptProperty::form() {
  using Of = KeptProperty;
  const auto wrong = [](const Of& one) -> std::string {
    return one.not_as_expected > one.judged ? "more than judged" : "";
  };
  static const JsonForm<Of> kForm{"property",
                                  "",
                                  {field("property", &Of::property), field("judged", &Of::judged),
                                   checked<Of>(field("not_as_expected", &Of::not_as_expected), wrong)}};
  return kForm;
}

const JsonForm<KeptCell>& KeptCell::form() {
  static const JsonForm<KeptCell> kForm{
      "cell", "", {field("cell", &KeptCell::cell), field("properties", &KeptCell::properties)}};
  return kForm;
}

const JsonForm<KeptBaseline>& KeptBaseline::form() {
  using Of = KeptBaseline;
  static const JsonForm<Of> kForm{"baseline",
                                  "",
                                  {form_version<Of>("holdfast_baseline", 1), field("holdfast", &Of::holdfast),
                                   field("suite", &Of::suite), field("cells", &Of::cells)}};
  return kForm;
}

RunBaseline kept_baseline(const nlohmann::json& json) {
  RunBaseline out;
  for (const auto& [cell, properties] : from_json<KeptBaseline>(json).cells) {
    auto& counts = out.cells[cell];
    for (const auto& [property, judged, bad] : properties) counts[property] = {bad, judged};
  }
  return out;
}

// The baseline's counts for a property of a cell.
struct Before {
  bool has_cell = false;
  std::optional<Baseline::Counts> counts;  // empty: not judged in the baseline
};

std::string why_changed(Change change, const Before& before) {
  switch (change) {
    case Change::same:
      return "";
    case Change::fresh:
      if (!before.has_cell) return "this cell is not in the baseline";
      return before.counts && before.counts->judged > 0 ? "it was as expected before"
                                                        : "the baseline has no result for it";
    case Change::fixed:
      return "in no trial now";
    case Change::still:
      return "in every trial, before and now";
    case Change::flaky:
      return "in some trials only: it depends on chance";
    case Change::unknown:
      break;
  }
  return "no trial could judge it now; if it was fixed, record that with --write-baseline";
}

// A baseline excuses only its recorded results; any other unexpected result is new. Otherwise an added lock, or one
// whose first trials were undecided, would never fail.
Change change_from(const Before& before, const Baseline::Counts& now) {
  const bool recorded = before.counts && before.counts->judged > 0;
  if (!recorded) return now.violated > 0 ? Change::fresh : Change::same;
  return change_between(before.counts ? &*before.counts : nullptr, now);
}

RunChange change_of(const Cell& cell, const std::string& property, const Before& before, const Baseline::Counts& now) {
  RunChange out;
  out.lock = cell.lock;
  out.scenario = cell.scenario;
  out.property = property;
  out.change = change_from(before, now);
  out.bad = now.violated;
  out.judged = now.judged;
  if (before.counts) out.bad_before = before.counts->violated;
  if (before.counts) out.judged_before = before.counts->judged;
  out.why = why_changed(out.change, before);
  return out;
}

}  // namespace

RunBaseline baseline_of(const RunVerdict& run) {
  RunBaseline out;
  for (const auto& cell : run.cells) {
    auto& counts = out.cells[cell_key(cell)];
    for (const auto& trial : cell.trials) {
      if (!passed_over(cell, trial)) count_trial(trial, counts);
    }
  }
  return out;
}

nlohmann::json baseline_json(const RunVerdict& run) {
  KeptBaseline out{run.version, run.suite, {}};
  for (const auto& [cell, counts] : baseline_of(run).cells) {
    KeptCell& kept = out.cells.emplace_back(KeptCell{cell, {}});
    for (const auto& [property, count] : counts) kept.properties.push_back({property, count.judged, count.bad});
  }
  return to_json(out);
}

RunBaseline read_run_baseline(const nlohmann::json& json) {
  if (json.is_object() && json.contains("holdfast_baseline")) return kept_baseline(json);
  if (json.is_object() && json.contains("holdfast_run")) return baseline_of(from_json<RunVerdict>(json));
  throw BadInput("expected a file written by --write-baseline or a run (verdict.json)");
}

void check_baseline(const RunBaseline& before, const std::vector<Cell>& cells) {
  const bool any = std::any_of(cells.begin(), cells.end(),
                               [&before](const Cell& cell) { return before.cells.contains(cell_key(cell)); });
  if (any) return;
  constexpr std::size_t kMostNamed = 5;
  std::string has;
  std::size_t named = 0;
  for (const auto& [cell, counts] : before.cells) {
    if (++named <= kMostNamed) has += (has.empty() ? "" : ", ") + cell;
  }
  if (named > kMostNamed) has += " and " + std::to_string(named - kMostNamed) + " more";
  throw BadInput("it has none of these cells, so there is nothing to compare; its cells: " +
                 (has.empty() ? "nothing" : has));
}

std::vector<RunChange> changes_since(const RunBaseline& before, const RunVerdict& now) {
  std::vector<RunChange> out;
  const RunBaseline seen = baseline_of(now);
  for (const auto& cell : now.cells) {
    const auto old = before.cells.find(cell_key(cell));
    std::map<std::string, RunBaseline::Counts> all = seen.cells.at(cell_key(cell));
    if (old != before.cells.end()) {
      for (const auto& [property, count] : old->second) all.try_emplace(property);  // not judged now
    }
    for (const auto& [property, count] : all) {
      const Baseline::Counts counted{count.bad, count.judged};
      Before was{old != before.cells.end(), {}};
      if (was.has_cell && old->second.contains(property)) {
        was.counts = Baseline::Counts{old->second.at(property).bad, old->second.at(property).judged};
      }
      RunChange one = change_of(cell, property, was, counted);
      if (one.change != Change::same) out.push_back(std::move(one));
    }
  }
  std::stable_sort(out.begin(), out.end(), [](const RunChange& a, const RunChange& b) { return a.change > b.change; });
  return out;
}

}  // namespace holdfast
