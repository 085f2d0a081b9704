#include "suite/expectation.hpp"

#include <algorithm>
#include <sstream>

#include "artifact/error.hpp"
#include "artifact/property_words.hpp"

namespace holdfast {
namespace {

std::string seen_text(const PropertyVerdict& property) {
  std::string text = to_text(property.judgement);
  for (const auto& [kind, count] : property.kinds) text += (text.find(':') == std::string::npos ? ":" : ",") + kind;
  return text;
}

// Returns true if it is that kind, or a special case of it.
bool is_a(const std::string& seen, const std::string& wanted) {
  if (seen == wanted) return true;
  const KindWords* const words = find_kind(seen);
  return words != nullptr && std::any_of(words->one_of.begin(), words->one_of.end(),
                                         [&wanted](const char* wider) { return wider != nullptr && wanted == wider; });
}

bool among(const std::vector<std::string>& allowed, const PropertyVerdict& property) {
  return std::all_of(property.kinds.begin(), property.kinds.end(), [&](const auto& seen) {
    return std::any_of(allowed.begin(), allowed.end(), [&seen](const auto& one) { return is_a(seen.first, one); });
  });
}

bool kinds_match(const std::vector<std::string>& wanted, const PropertyVerdict& property) {
  if (wanted.empty()) return true;
  const bool has_first = std::any_of(property.kinds.begin(), property.kinds.end(),
                                     [&wanted](const auto& seen) { return is_a(seen.first, wanted.front()); });
  return has_first && among(wanted, property);
}

Outcome outcome_of_allowed(const std::vector<std::string>& kinds, const PropertyVerdict& property) {
  if (property.judgement == Judgement::undecided) return Outcome::undecided;
  if (property.judgement != Judgement::violated) return Outcome::as_expected;
  return among(kinds, property) ? Outcome::allowed : Outcome::unexpected;
}

Outcome outcome_of(const std::string& expected, const PropertyVerdict& property) {
  const Judgement seen = property.judgement;
  if (expected.rfind(kHoldsBut, 0) == 0) {
    if (seen == Judgement::violated) return outcome_of_allowed(kinds_of(expected), property);
    return outcome_of("", property);
  }
  if (expected == "not_judged") return Outcome::as_expected;  // the scenario does not test it
  if (expected.rfind("allowed", 0) == 0) return outcome_of_allowed(kinds_of(expected), property);
  const bool wants_violation = expected.rfind("violated", 0) == 0;
  if (seen == Judgement::violated) {
    return wants_violation && kinds_match(kinds_of(expected), property) ? Outcome::caught : Outcome::unexpected;
  }
  if (expected == to_text(seen)) return Outcome::as_expected;
  if (expected.empty() && seen == Judgement::not_applicable) return Outcome::as_expected;
  if (seen == Judgement::undecided || seen == Judgement::not_exercised) return Outcome::undecided;
  if (expected == "not_exercised" && seen == Judgement::holds) return Outcome::as_expected;
  return expected.empty() ? Outcome::as_expected : Outcome::missed;
}

bool as_expected(Outcome outcome) {
  return outcome == Outcome::as_expected || outcome == Outcome::allowed || outcome == Outcome::caught;
}

bool is_wrong(const TrialResult& trial) {
  return trial.outcome == Outcome::missed || trial.outcome == Outcome::unexpected;
}

// A wrong result that the baseline has as well is not new.
bool is_news(const RunVerdict& run, const Cell& cell) {
  if (run.baseline.empty()) return true;
  bool explained = false;
  for (const auto& change : run.changes) {
    if (change.lock != cell.lock || change.scenario != cell.scenario || change.bad == 0) continue;
    if (change.change == Change::fresh) return true;
    explained = true;
  }
  return !explained;
}

// An as-expected cell is not worse because of trials that could not be judged.
bool is_good(const RunVerdict& run, const std::string& lock, const std::string& scenario) {
  return std::any_of(run.cells.begin(), run.cells.end(), [&](const Cell& cell) {
    return cell.lock == lock && cell.scenario == scenario && as_expected(cell.outcome);
  });
}

bool never_acted(const FaultProof& proof) {
  return proof.acted == 0;
}

// If a violation was seen, the faults were effective enough.
std::string struck_no_grant(const TrialResult& trial) {
  if (trial.outcome != Outcome::as_expected) return "";
  for (const auto& proof : trial.faults) {
    if (proof.struck.no_grant()) return no_grant_text(proof.fault, proof.struck);
  }
  return "";
}

}  // namespace

std::vector<std::string> kinds_of(const std::string& expected) {
  std::vector<std::string> kinds;
  const auto colon = expected.find(':');
  if (colon == std::string::npos) return kinds;
  std::istringstream in(expected.substr(colon + 1));
  for (std::string kind; std::getline(in, kind, ',');) kinds.push_back(kind);
  return kinds;
}

bool passed_over(const Cell& cell, const TrialResult& trial) {
  return cell.until_decided && trial.outcome == Outcome::missed &&
         std::any_of(cell.trials.begin(), cell.trials.end(),
                     [](const TrialResult& other) { return other.outcome == Outcome::caught; });
}

Outcome worse(Outcome a, Outcome b) {
  return std::max(a, b);
}

void compare_with_expected(const std::map<std::string, std::string>& expected, TrialResult& trial) {
  trial.outcome = Outcome::as_expected;
  trial.mismatches.clear();
  bool judged = false;
  for (const auto& property : trial.verdict.properties) {
    const auto stated = expected.find(property.property);
    const std::string wanted = stated == expected.end() ? "" : stated->second;
    const Outcome outcome = outcome_of(wanted, property);
    const bool told = property.judgement == Judgement::holds || property.judgement == Judgement::violated;
    // An author's assertion that holds shows nothing about the lock's promises.
    const bool asserted = property.judgement == Judgement::holds && concerns(property.property, Concerns::author);
    judged = judged || (told && wanted != "not_judged" && !asserted);
    trial.outcome = worse(trial.outcome, outcome);
    if (as_expected(outcome)) continue;
    trial.mismatches.push_back({property.property, wanted.empty() ? "holds" : wanted, seen_text(property)});
  }
  if (std::any_of(trial.faults.begin(), trial.faults.end(), never_acted)) {
    trial.outcome = worse(trial.outcome, Outcome::undecided);
    trial.mismatches.push_back({kFaults, "acted", kNeverActed});
  } else if (const std::string why = struck_no_grant(trial); !why.empty()) {
    trial.outcome = Outcome::undecided;
    trial.mismatches.push_back({kFaults, "struck a grant", kNotExercised + why});
  }
  if (!judged) trial.outcome = worse(trial.outcome, Outcome::nothing_judged);
}

void compare_control(const std::map<std::string, std::string>& expected, const TrialVerdict& control,
                     TrialResult& trial) {
  Outcome outcome = Outcome::as_expected;
  bool shown = false;
  std::string seen;
  for (const auto& property : control.properties) {
    const auto stated = expected.find(property.property);
    const bool broken_by_flaw = stated != expected.end() && stated->second.rfind("violated", 0) == 0;
    shown = shown || (broken_by_flaw && property.judgement == Judgement::holds);
    if (property.judgement == Judgement::violated) outcome = worse(outcome, Outcome::unexpected);
    if (property.judgement == Judgement::undecided) outcome = worse(outcome, Outcome::undecided);
    if (property.judgement == Judgement::holds || property.judgement == Judgement::not_applicable) continue;
    seen += (seen.empty() ? "" : "; ") + property.property + " " + seen_text(property);
  }
  if (!shown) outcome = worse(outcome, Outcome::undecided);
  trial.control->held = outcome == Outcome::as_expected;
  if (trial.control->held) return;
  trial.control->seen = seen;
  trial.outcome = worse(trial.outcome, outcome);
  trial.mismatches.push_back({"control", "holds", seen});
}

// Trials that judged nothing do not affect a cell in which others judged something.
void sum_up(Cell& cell) {
  cell.outcome = Outcome::as_expected;
  cell.trials_as_expected = 0;
  for (const auto& trial : cell.trials) cell.trials_as_expected += as_expected(trial.outcome) ? 1 : 0;
  for (const auto& trial : cell.trials) {
    const bool empty = trial.outcome == Outcome::nothing_judged && cell.trials_as_expected > 0;
    if (!empty && !passed_over(cell, trial)) cell.outcome = worse(cell.outcome, trial.outcome);
  }
  if (cell.trials_not_run() > 0) cell.outcome = worse(cell.outcome, Outcome::not_run);
}

int exit_code_of(const RunVerdict& run) {
  if (run.interrupted) return kExitInterrupted;
  bool wrong = false;
  bool broken = false;
  bool open = std::any_of(run.changes.begin(), run.changes.end(), [&run](const RunChange& change) {
    return change.change == Change::unknown && !is_good(run, change.lock, change.scenario);
  });
  open = open || has_unreached(run);
  bool ran = false;
  for (const auto& cell : run.cells) {
    const bool news = is_news(run, cell);
    open = open || cell.trials_not_run() > 0 || cell.outcome == Outcome::nothing_judged;
    for (const auto& trial : cell.trials) {
      wrong = wrong || (news && is_wrong(trial) && !passed_over(cell, trial));
      broken = broken || trial.outcome == Outcome::harness_error;
      open = open || trial.outcome == Outcome::undecided;
      ran = ran || trial.outcome != Outcome::unavailable;
    }
  }
  if (wrong) return kExitNotAsExpected;
  if (broken) return kExitHarness;
  if (open) return kExitUndecided;
  return ran ? kExitAsExpected : kExitUnavailable;
}

}  // namespace holdfast
