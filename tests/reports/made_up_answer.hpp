// Runs of one lock, made up case by case, for the tests of what `try` answers.
//
//   assessed({Made("none"), Made("pause", "pause").violated("ownership", "foreign_release")}).findings ...
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "artifact/run_verdict.hpp"
#include "reports/assessment.hpp"

namespace holdfast {

inline PropertyVerdict judged(const std::string& property, Judgement judgement, const std::string& kind = "") {
  PropertyVerdict out;
  out.property = property;
  out.judgement = judgement;
  out.kind = kind;
  if (!kind.empty()) out.kinds[kind] = 1;
  return out;
}

// A trial of a lock without tokens, in which all held.
struct Made {
  Cell cell;

  explicit Made(const std::string& scenario, const std::string& fault = "", const std::string& lock = "my_lock") {
    cell.lock = lock;
    cell.scenario = scenario;
    cell.suite = "generated";
    TrialResult trial;
    for (const char* property : {"lease_exclusion", "mutual_exclusion", "resource", "ownership", "progress"}) {
      trial.verdict.properties.push_back(judged(property, Judgement::holds));
    }
    trial.verdict.properties.push_back(judged("fencing", Judgement::not_applicable));
    if (!fault.empty()) trial.faults.push_back({fault, 1, 1, "", ""});
    cell.trials.push_back(trial);
  }
  TrialResult& trial() { return cell.trials.front(); }
  Made& fenced(std::int64_t stale) {
    auto& tokens = trial().verdict.properties.back();
    tokens.judgement = Judgement::holds;
    tokens.coverage["stale_tokens_presented"] = stale;
    return *this;
  }
  Made& violated(const std::string& property, const std::string& kind, bool expected = false) {
    for (auto& one : trial().verdict.properties) {
      if (one.property == property) one = judged(property, Judgement::violated, kind);
    }
    if (expected) return *this;
    trial().outcome = cell.outcome = Outcome::unexpected;
    trial().mismatches.push_back({property, "holds", "violated:" + kind});
    return *this;
  }
  Made& because(const std::string& kind, CauseState state) {
    CauseFinding cause;
    cause.property = "ownership";
    cause.kind = kind;
    cause.of_fault = true;
    cause.faults = {"partition"};
    cause.state = state;
    cause.judged = state == CauseState::open ? 0 : kCauseControls;
    cause.held = state == CauseState::confirmed ? kCauseControls : 0;
    trial().causes.push_back(cause);
    return *this;
  }
};

inline RunVerdict run_of(const std::vector<Made>& made) {
  RunVerdict out;
  out.locks = {"my_lock"};
  for (const auto& one : made) {
    out.cells.push_back(one.cell);
    for (const auto& proof : one.cell.trials.empty() ? std::vector<FaultProof>{} : one.cell.trials[0].faults) {
      out.faults.push_back(proof);
    }
  }
  return out;
}

// The run stays until the tests end, since its assessment refers to it.
inline RunAssessment assessed(const RunVerdict& run, const std::vector<FoundSchedule>& schedules = {}) {
  static std::deque<RunVerdict> kept;
  kept.push_back(run);
  return assess(kept.back(), schedules);
}

inline RunAssessment assessed(const std::vector<Made>& made, const std::vector<FoundSchedule>& schedules = {}) {
  return assessed(run_of(made), schedules);
}

inline std::vector<std::string> names_of(const std::vector<const Cell*>& cells) {
  std::vector<std::string> out;
  for (const Cell* cell : cells) out.push_back(cell->scenario);
  return out;
}

// All cases with this end.
inline std::vector<std::string> cases_that(Severity end, const RunAssessment& found) {
  std::vector<std::string> out;
  for (const auto& group : found.groups) {
    if (group.end == end) out.insert(out.end(), group.cases.begin(), group.cases.end());
  }
  return out;
}

}  // namespace holdfast
