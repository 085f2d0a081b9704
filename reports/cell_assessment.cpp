#include "reports/cell_assessment.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace holdfast {
namespace {

void add_trial(const TrialResult& trial, CellAssessment& out) {
  const Severity severity = severity_of(*out.cell, trial);
  if (out.worst == nullptr || severity < out.severity) {
    out.severity = severity;
    out.worst = &trial;
  }
  out.stale.add(stale_writes_of(trial.verdict));
  out.fenced = out.fenced || is_fenced(trial.verdict);
  for (const auto& proof : trial.faults) {
    if (proof.planned > 0) out.faults.insert(proof.fault);
  }
  for (const auto& cause : trial.causes) {
    if (cause.of_fault && cause.state == CauseState::confirmed) out.confirmed.insert(cause.kind);
  }
}

}  // namespace

CellAssessment assess_cell(const RunVerdict& run, const Cell& cell) {
  CellAssessment out;
  out.cell = &cell;
  out.told = finding_of(run, cell);
  out.explored = is_explored(cell);
  out.novelty = novelty_of(run, cell);
  for (const auto& trial : cell.trials) add_trial(trial, out);
  return out;
}

std::string faults_text(const CellAssessment& of) {
  if (!of.faults.empty()) return fmt::format("{}", fmt::join(of.faults, " and "));
  return of.cell->outcome == Outcome::allowed ? "no fault, but a job longer than its lease" : "no fault";
}

std::string lock_name(const std::string& lock) {
  return lock.substr(0, lock.find('+'));
}

}  // namespace holdfast
