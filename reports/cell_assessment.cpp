#include "reports/cell_assessment.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "artifact/property_words.hpp"

namespace holdfast {
namespace {

void add_trial(const TrialResult& trial, CellAssessment& out) {
  const Severity severity = severity_of(*out.cell, trial);
  if (out.worst == nullptr || severity < out.severity) {
    out.severity = severity;
    out.worst = &trial;
  }
  for (const auto& property : trial.verdict.properties) {
    if (breaks_promise(*out.cell, trial, property))
      out.broken = std::min(out.broken, severity_of_violation(property.property, property.kinds));
  }
  out.stale.add(stale_writes_of(trial.verdict));
  out.fenced = out.fenced || is_fenced(trial.verdict);
  for (const auto& property : trial.verdict.properties) {
    const bool told = property.judgement == Judgement::holds || property.judgement == Judgement::violated;
    out.data_judged = out.data_judged || (told && concerns(property.property, Concerns::data));
  }
  for (const auto& proof : trial.faults) {
    if (proof.planned > 0) out.faults.insert(proof.fault);
  }
  for (const auto& cause : trial.causes) {
    if (cause.of_fault && cause.state == CauseState::confirmed) out.confirmed.insert(cause.kind);
  }
}

}  // namespace

bool is_of_lost_state(const std::string& kind) {
  return kind == "server_lost_state" || kind == "session_lost" || kind == "server_partition";
}

// One find that breaks the promise is enough, among several of a search.
bool breaks_promise(const Cell& cell, const TrialResult& trial, const PropertyVerdict& property) {
  if (trial.outcome != Outcome::unexpected || property.judgement != Judgement::violated) return false;
  return is_explored(cell) ? break_promises(property.kinds) : is_mismatch(trial, property.property);
}

bool break_promises(const std::map<std::string, std::int64_t>& kinds) {
  return kinds.empty() || std::any_of(kinds.begin(), kinds.end(), [](const auto& one) {
           const KindWords* words = find_kind(one.first);
           return words == nullptr || (words->weight < KindWeight::late_answer && !is_of_lost_state(one.first));
         });
}

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
