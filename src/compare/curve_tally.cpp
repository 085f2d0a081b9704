#include "compare/curve_tally.hpp"

#include <algorithm>

#include "artifact/error.hpp"
#include "artifact/property_words.hpp"
#include "compare/wilson.hpp"

namespace holdfast {
namespace {

// Returns true if each kind is among the words, which commas separate.
bool only_kinds(const std::map<std::string, std::int64_t>& kinds, const std::string& words) {
  return !kinds.empty() && std::all_of(kinds.begin(), kinds.end(), [&](const auto& kind) {
    return ("," + words + ",").find("," + kind.first + ",") != std::string::npos;
  });
}

void note(std::string& first, const std::string& reason) {
  if (first.empty()) first = reason;
}

std::string first_witness(const PropertyVerdict& property) {
  return property.witnesses.empty() ? property.property + " violated:" + property.kind
                                    : property.witnesses.front().text;
}

// Returns true if another client asked for a held key, and the fault struck a release, or an acquire that may have been
// granted. For such a fault this is the dangerous moment, although no grant is in force during it: a grant is answered
// after its acquire, and ends with the call of its release.
bool struck_in_contention(const PropertyVerdict& property, CurvePart part) {
  const auto count = [&](const char* what) {
    const auto found = property.coverage.find(what);
    return found == property.coverage.end() ? std::int64_t{0} : found->second;
  };
  const auto struck = count("struck_grants") + count("struck_unanswered") + count("struck_given_up");
  const bool in_operation = part == CurvePart::release || (part == CurvePart::acquire && struck > 0);
  return in_operation && count("attempts_in_hold") > 0;
}

}  // namespace

bool CurveTally::is_judged(const std::string& property) const {
  return std::find(judged_by_.begin(), judged_by_.end(), property) != judged_by_.end();
}

bool CurveTally::is_violation(const PropertyVerdict& property) const {
  if (property.judgement != Judgement::violated || !is_judged(property.property)) return false;
  const PropertyWords* words = find_entry(property_words(), property.property);
  const bool of_data = words == nullptr || words->concerns == Concerns::data;
  return !allows_lapses_ || of_data || !only_kinds(property.kinds, words->when_outlived);
}

// One exclusion property, and that of the data, must have been exercised.
std::string CurveTally::why_undecided(const TrialResult& trial, CurvePart part) const {
  bool exclusion = false;
  std::string idle;
  for (const auto& property : trial.verdict.properties) {
    if (!is_judged(property.property)) continue;
    const std::string reason = property.property + ": " + property.reason;
    const bool of_holders = judged_by_.size() == 1 || concerns(property.property, Concerns::holders);
    const bool exercised = property.judgement != Judgement::not_exercised || struck_in_contention(property, part);
    if (property.judgement == Judgement::undecided) return reason;
    if (!exercised && concerns(property.property, Concerns::data)) return reason;
    if (!exercised && of_holders) note(idle, reason);
    exclusion = exclusion || (of_holders && exercised && property.judgement != Judgement::not_applicable);
  }
  if (exclusion) return "";
  return idle.empty() ? "the lock makes no promise that is judged" : idle;
}

// Counts each property and kind once per trial.
void CurveTally::count_violations(const TrialResult& trial, CurvePoint& point) const {
  ++point.violated;
  if (point.violating_trial == 0 || trial.number < point.violating_trial) point.violating_trial = trial.number;
  for (const auto& property : trial.verdict.properties) {
    if (!is_violation(property)) continue;
    for (const auto& [kind, count] : property.kinds) ++point.violations[property.property + " " + kind];
    note(point.seen, first_witness(property));
  }
}

void CurveTally::add(const TrialResult& trial, CurvePoint& point) const {
  ++point.trials;
  if (trial.outcome == Outcome::unavailable || trial.outcome == Outcome::harness_error) {
    ++(trial.outcome == Outcome::unavailable ? point.unavailable : point.errors);
    return note(point.reason, trial.error);
  }
  if (const std::string why = why_not_struck(trial, point.part); !why.empty()) return note(point.reason, why);
  ++point.acted;
  const auto& all = trial.verdict.properties;
  const bool broke = std::any_of(all.begin(), all.end(), [this](const auto& one) { return is_violation(one); });
  if (!broke) {
    if (const std::string why = why_undecided(trial, point.part); !why.empty()) {
      ++point.undecided;
      return note(point.reason, why);
    }
  }
  ++point.counted;
  if (broke) return count_violations(trial, point);
  const bool lapsed = std::any_of(all.begin(), all.end(), [this](const auto& one) {
    return one.judgement == Judgement::violated && is_judged(one.property);
  });
  point.lapsed += lapsed ? 1 : 0;
}

std::string why_not_struck(const TrialResult& trial, CurvePart part) {
  if (part == CurvePart::no_fault) return "";
  int acted = 0;
  std::int64_t holders = 0;
  StruckCounts struck;
  for (const auto& proof : trial.faults) {
    acted += proof.acted;
    holders += proof.holders;
    struck.add(proof.struck);
  }
  if (acted == 0) return "the fault never acted: no client reached the point";
  if (part == CurvePart::hold && holders == 0) return "the fault struck a client that no longer held the lock";
  const bool may_hold = holders > 0 || (struck.any() && !struck.no_grant());
  if (part == CurvePart::acquire && !may_hold) return "the fault struck an acquire that was refused";
  return "";
}

void set_interval(CurvePoint& point) {
  point.low = point.high = std::nullopt;
  if (!point.measured()) return;
  const ShareInterval share = wilson(point.violated, point.counted);
  point.low = share.low;
  point.high = share.high;
}

int exit_code_of(const CurveRun& run) {
  if (run.interrupted) return kExitInterrupted;
  bool some = false;
  bool all = !run.points.empty();
  bool failed = false;
  bool unavailable = false;
  for (const auto& point : run.points) {
    some = some || point.measured();
    all = all && point.measured();
    failed = failed || point.errors > 0;
    unavailable = unavailable || point.unavailable > 0;
  }
  if (!some && failed) return kExitHarness;
  if (!some && unavailable) return kExitUnavailable;
  return all ? kExitAsExpected : kExitUndecided;
}

}  // namespace holdfast
