#include "reports/assessment.hpp"

#include <algorithm>
#include <map>

#include "artifact/error.hpp"
#include "artifact/property_words.hpp"

namespace holdfast {
namespace {

constexpr std::string_view kOfAdapter = "adapter ";

void add_case(std::vector<CaseGroup>& groups, const Cell& cell) {
  const std::string faults = faults_of(cell);
  const auto known =
      std::find_if(groups.begin(), groups.end(), [&](const CaseGroup& group) { return group.faults == faults; });
  if (known != groups.end()) return known->cases.push_back(cell.scenario);
  groups.push_back({faults, {cell.scenario}, 0});
}

void not_known(Assessment& out, const std::string& why, const std::string& what, bool tried) {
  const auto known = std::find_if(out.unknown.begin(), out.unknown.end(),
                                  [&](const NothingKnown& one) { return one.why == why && one.tried == tried; });
  if (known != out.unknown.end()) return known->cases.push_back(what);
  out.unknown.push_back({why, {what}, tried});
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
  if (cell.trials.empty()) return run.stopped.empty() ? "it was not run" : run.stopped;
  const TrialResult& trial = cell.trials.front();
  if (!trial.error.empty()) return without_client(trial.error);
  const std::string reason = first_reason(trial.verdict);
  return reason.empty() ? "no property was put to the test" : reason;
}

// What was not explored stands on the page; here only the bounds.
std::string searched_words(const Cell& cell, Severity severity) {
  const std::string numbers = cell.why.substr(0, cell.why.find(" Not explored:"));
  if (severity == Severity::nothing_broke) return "none violated: " + numbers;
  if (severity == Severity::nothing_judged) return "none violated, but the search was cut off: " + numbers;
  return severity_words(severity) + ": " + numbers;
}

// Which group a case belongs to; null: nothing was judged in it.
std::vector<CaseGroup>* group_of(Assessment& out, const Cell& cell, Severity severity) {
  switch (severity) {
    case Severity::data_damaged:
      return &out.damaged;
    case Severity::two_believed:
      return &out.believed;
    case Severity::not_its_owner:
    case Severity::token_fell:
      return &out.disowned;
    case Severity::stuck:
      return &out.stuck;
    case Severity::wrong_answer:
      return &out.misled;
    case Severity::nothing_broke:
      break;
    case Severity::nothing_judged:
      return nullptr;
  }
  const bool overlapped = std::any_of(cell.trials.begin(), cell.trials.end(), [](const TrialResult& trial) {
    return stale_writes_of(trial.verdict).overlapped;
  });
  return overlapped ? &out.believed : &out.safe;
}

void put_in_groups(const RunVerdict& run, Assessment& out) {
  std::map<std::string, int> judged;
  for (const auto& cell : run.cells) {
    const Severity severity = severity_of(cell);
    if (is_explored(cell)) {
      out.searched = searched_words(cell, severity);
      continue;
    }
    auto* const group = group_of(out, cell, severity);
    if (group == nullptr) {
      not_known(out, why_unknown(run, cell), cell.scenario, !cell.trials.empty());
      continue;
    }
    add_case(*group, cell);
    ++judged[faults_of(cell)];
    if (group == &out.believed) {
      for (const auto& trial : cell.trials) out.refused += stale_writes_of(trial.verdict).refused;
    }
  }
  for (auto* groups : {&out.safe, &out.damaged, &out.believed, &out.disowned, &out.stuck, &out.misled}) {
    for (auto& group : *groups) group.all = judged[group.faults];
  }
  for (const auto& one : run.not_tried) not_known(out, one.why, one.what, false);
}

int exit_code_of_assessment(const RunVerdict& run, const Assessment& out) {
  if (run.interrupted) return kExitInterrupted;
  if (out.headline.severity < Severity::nothing_broke) return kExitNotAsExpected;
  const bool failed = std::any_of(run.cells.begin(), run.cells.end(),
                                  [](const Cell& cell) { return cell.outcome == Outcome::harness_error; });
  if (failed) return kExitHarness;
  if (out.headline.severity == Severity::nothing_broke) return kExitAsExpected;
  return run.exit_code == kExitUnavailable ? kExitUnavailable : kExitUndecided;
}

}  // namespace

Assessment assess(const RunVerdict& run, const AssessmentSettings& settings) {
  Assessment out;
  out.lock = run.locks.empty() ? "" : run.locks.front();
  out.headline = headline_of(run);
  out.instead = settings.instead;
  out.notes = run.notes;
  put_in_groups(run, out);
  out.within = out.searched.empty() ? "" : run.within;
  out.findings = findings_of_run(run, settings.plain, settings.schedules);
  out.exit_code = exit_code_of_assessment(run, out);
  return out;
}

}  // namespace holdfast
