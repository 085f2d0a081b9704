#include "reports/assessment.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "artifact/error.hpp"
#include "artifact/property_words.hpp"
#include "reports/durations.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kFewCells = 3;
constexpr std::string_view kOfAdapter = "adapter ";

template <typename Key>
std::int64_t count_in(const std::map<Key, std::int64_t>& counts, Key key) {
  const auto found = counts.find(key);
  return found == counts.end() ? 0 : found->second;
}

CellCounts counts_of(const std::vector<CellAssessment>& cells) {
  CellCounts out;
  for (const auto& one : cells) {
    const Cell& cell = *one.cell;
    ++out.outcomes[cell.outcome];
    if (cell.trials_not_run() > 0) ++out.unfinished;
    if (cell.outcome == Outcome::missed || cell.outcome == Outcome::unexpected) ++out.not_as_expected[one.novelty];
    if (cell.outcome != Outcome::caught) continue;
    out.causes += static_cast<std::int64_t>(one.confirmed.size());
    const bool controlled = std::any_of(cell.trials.begin(), cell.trials.end(),
                                        [](const TrialResult& trial) { return trial.control.has_value(); });
    if (controlled) ++out.controls;
  }
  return out;
}

// Violated, and it passed.
bool was_violated(Outcome outcome) {
  return outcome == Outcome::caught || outcome == Outcome::allowed;
}

Finding severest_of(const std::vector<CellAssessment>& cells) {
  const CellAssessment* worst = nullptr;
  for (const auto& one : cells) {
    const Outcome outcome = one.cell->outcome;
    const bool tells = was_violated(outcome) || outcome > Outcome::not_run;
    const bool simpler = worst != nullptr && outcome == worst->cell->outcome && outcome == Outcome::unexpected &&
                         one.without_fault() && !worst->without_fault();
    if (tells && (worst == nullptr || outcome > worst->cell->outcome || simpler)) worst = &one;
  }
  if (worst == nullptr) return {};
  if (!was_violated(worst->cell->outcome)) return worst->told;
  // Among expected violations, or allowed ones, the one with a picture is the better example.
  for (const auto& one : cells) {
    const Witness* const witness = one.cell->outcome == worst->cell->outcome ? one.told.witness : nullptr;
    if (witness != nullptr && witness->to_ns > witness->from_ns) return one.told;
  }
  return worst->told;
}

std::vector<const CellAssessment*> caught_of(const std::vector<CellAssessment>& cells) {
  std::vector<const CellAssessment*> out;
  if (cells.size() > kFewCells) return out;
  for (const auto& one : cells) {
    if (was_violated(one.cell->outcome)) out.push_back(&one);
  }
  return out;
}

void not_known(RunAssessment& out, const std::string& why, const std::string& what, bool tried, bool needed) {
  const auto known = std::find_if(out.unknown.begin(), out.unknown.end(),
                                  [&](const NothingKnown& one) { return one.why == why && one.tried == tried; });
  if (known != out.unknown.end()) return known->cases.push_back(what);
  out.unknown.push_back({why, {what}, tried, needed});
}

std::string first_reason(const TrialVerdict& verdict) {
  for (const auto& property : verdict.properties) {
    const bool open = property.judgement == Judgement::undecided || (property.judgement == Judgement::not_exercised &&
                                                                     concerns(property.property, Concerns::holders));
    if (open && !property.reason.empty()) return property.reason;
  }
  return "";
}

// "client 3: adapter my_lock: ..." without the client: the clients' programs are the same, and one reason is one line.
std::string without_client(const std::string& error) {
  const auto colon = error.find(": ");
  const bool of_adapter = error.rfind("client ", 0) == 0 && colon != std::string::npos &&
                          error.compare(colon + 2, kOfAdapter.size(), kOfAdapter) == 0;
  return of_adapter ? error.substr(colon + 2) : error;
}

std::string why_unknown(const RunVerdict& run, const Cell& cell) {
  if (cell.trials.empty()) return run.stopped.empty() ? "it did not run" : run.stopped;
  const TrialResult& trial = cell.trials.front();
  if (!trial.error.empty()) return without_client(trial.error);
  const std::string reason = first_reason(trial.verdict);
  return reason.empty() ? "no property was tested" : reason;
}

// By which end a case is grouped.
Severity end_of(const CellAssessment& one) {
  if (one.severity == Severity::token_fell) return Severity::not_its_owner;
  const bool past_lease = one.severity == Severity::nothing_broke && one.stale.overlapped;
  return past_lease ? Severity::two_believed : one.severity;
}

void add_case(const CellAssessment& one, std::vector<CaseGroup>& groups) {
  const Severity end = end_of(one);
  const std::string faults = faults_text(one);
  auto group = std::find_if(groups.begin(), groups.end(),
                            [&](const CaseGroup& known) { return known.end == end && known.faults == faults; });
  if (group == groups.end()) {
    groups.push_back({end, faults, {}});
    group = groups.end() - 1;
  }
  group->cases.push_back(one.cell->scenario);
  group->refused += one.stale.refused;
}

void put_in_groups(RunAssessment& out) {
  std::map<std::string, int> judged;
  for (const auto& one : out.cells) {
    if (one.explored) {
      out.searched = &one;
    } else if (one.severity == Severity::nothing_judged) {
      not_known(out, why_unknown(out.run, *one.cell), one.cell->scenario, !one.cell->trials.empty(), true);
    } else {
      add_case(one, out.groups);
      ++judged[faults_text(one)];
    }
  }
  for (auto& group : out.groups) group.all = judged[group.faults];
  for (const auto& one : out.run.not_tried) not_known(out, one.why, one.what, false, !one.not_needed);
}

std::vector<LeftOut> left_out_by_reason(const RunVerdict& run, bool needed) {
  std::set<std::string> locks;
  std::map<std::pair<std::string, std::string>, std::set<std::string>> locks_of;  // by reason and what
  for (const auto& lock : run.locks) locks.insert(lock_name(lock));
  for (const auto& one : run.not_tried) {
    locks.insert(lock_name(one.lock));
    locks_of[{one.why, one.what}].insert(lock_name(one.lock));
  }
  std::vector<LeftOut> out;
  std::set<std::pair<std::string, std::string>> told;
  for (const auto& one : run.not_tried) {
    if (one.not_needed == needed) continue;
    const bool of_all = locks_of[{one.why, one.what}] == locks;
    const std::string name = of_all ? one.what : one.lock + "/" + one.what;
    if (!told.insert({one.why, name}).second) continue;
    const auto known = std::find_if(out.begin(), out.end(), [&](const LeftOut& l) { return l.why == one.why; });
    if (known == out.end()) {
      out.push_back({one.why, name});
    } else {
      known->what += ", " + name;
    }
  }
  return out;
}

int exit_code_of_grade(const RunAssessment& found, const LockGrade& grade) {
  if (grade.grade == Grade::broken) return grade.exit_code();
  if (found.counts.of(Outcome::harness_error) > 0) return kExitHarness;
  const bool nothing_ran = found.severity == Severity::nothing_judged && found.run.exit_code == kExitUnavailable;
  return nothing_ran ? kExitUnavailable : grade.exit_code();
}

int exit_code_of(const RunAssessment& found) {
  if (found.run.interrupted) return kExitInterrupted;
  if (const LockAssessment* const lock = found.graded()) return exit_code_of_grade(found, lock->grade);
  if (found.severity < Severity::nothing_broke) return kExitNotAsExpected;
  if (found.counts.of(Outcome::harness_error) > 0) return kExitHarness;
  if (found.severity == Severity::nothing_broke) return has_unreached(found.run) ? kExitUndecided : kExitAsExpected;
  return found.run.exit_code == kExitUnavailable ? kExitUnavailable : kExitUndecided;
}

// The case that leads the findings of a graded lock that broke a promise; null: none, or a baseline decides.
const Finding* first_finding(const RunAssessment& found) {
  const bool broken = found.graded() != nullptr && found.run.baseline.empty() && !found.findings.empty() &&
                      found.findings.front().promised && found.severest.cell != nullptr &&
                      found.severest.cell->outcome == Outcome::unexpected;
  if (!broken) return nullptr;
  const Cell* const cell = found.findings.front().cases.front();
  const auto leads = std::find_if(found.cells.begin(), found.cells.end(), [cell](const auto& one) {
    return one.cell == cell && one.cell->outcome == Outcome::unexpected && one.told.witness != nullptr;
  });
  return leads == found.cells.end() ? nullptr : &leads->told;
}

// An allowed violation of a graded lock that broke no promise, which says more than a cell that is open; null: none.
const Finding* example_of_grade(const RunAssessment& found) {
  const LockAssessment* const lock = found.graded();
  const Cell* const cell = found.severest.cell;
  const bool open =
      cell != nullptr && (cell->outcome == Outcome::undecided || cell->outcome == Outcome::nothing_judged);
  if (lock == nullptr || lock->grade.grade == Grade::broken || !open) return nullptr;
  const auto allowed = std::find_if(found.cells.begin(), found.cells.end(), [](const CellAssessment& one) {
    const Witness* const witness = one.told.witness;
    return one.cell->outcome == Outcome::allowed && witness != nullptr && witness->to_ns > witness->from_ns;
  });
  return allowed == found.cells.end() ? nullptr : &allowed->told;
}

}  // namespace

std::string not_needed_words(std::size_t scenarios) {
  const std::string some = plural(static_cast<std::int64_t>(scenarios), "scenario", "scenarios");
  return some + (scenarios == 1 ? ", which does not apply to the lock or is the same as another"
                                : ", which do not apply to the lock or are the same as others");
}

std::int64_t CellCounts::of(Outcome outcome) const {
  return count_in(outcomes, outcome);
}

std::int64_t CellCounts::wrong(Novelty novelty) const {
  return count_in(not_as_expected, novelty);
}

std::int64_t CellCounts::good() const {
  return of(Outcome::as_expected) + of(Outcome::allowed) + of(Outcome::caught);
}

std::int64_t CellCounts::cells() const {
  std::int64_t out = 0;
  for (const auto& [outcome, cells] : outcomes) out += cells;
  return out;
}

RunAssessment assess(const RunVerdict& run, const std::vector<FoundSchedule>& schedules) {
  RunAssessment out(run);
  out.cells.reserve(run.cells.size());
  for (const auto& cell : run.cells) out.cells.push_back(assess_cell(run, cell));
  for (const auto& one : out.cells) {
    out.severity = std::min(out.severity, one.severity);
    if (!one.explored) out.stale.add(one.stale);
  }
  out.locks = assess_locks(run, out.cells);
  out.counts = counts_of(out.cells);
  out.severest = severest_of(out.cells);
  out.causes = causes_once(out.cells);
  out.caught = caught_of(out.cells);
  put_in_groups(out);
  out.left_out = left_out_by_reason(run, true);
  out.not_needed = left_out_by_reason(run, false);
  if (out.locks.size() == 1) out.findings = findings_of(out.cells, schedules);
  if (const Finding* const first = first_finding(out)) out.severest = *first;
  if (const Finding* const example = example_of_grade(out)) out.severest = *example;
  out.exit_code = exit_code_of(out);
  return out;
}

}  // namespace holdfast
