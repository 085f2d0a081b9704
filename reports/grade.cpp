#include "reports/grade.hpp"

#include <algorithm>

#include "artifact/enumeration.hpp"
#include "artifact/error.hpp"
#include "artifact/property_words.hpp"
#include "reports/assertion_text.hpp"
#include "reports/durations.hpp"
#include "reports/promises.hpp"

namespace holdfast {
namespace {

struct GradeWords {
  const char* name;
  const char* words;
  int exit_code;
};

const GradeWords& entry_of(Grade grade) {
  static constexpr EnumTable<Grade, GradeWords> kAll(
      {{"broken", "broken", kExitNotAsExpected},
       {"not_known", "not known", kExitUndecided},
       {"as_safe_as_a_lease", "as safe as a lease can be", kExitAsExpected},
       {"safe", "safe", kExitAsExpected}});
  return kAll[grade];
}

std::vector<HolderStrikes> no_strikes() {
  return {{"kill", "kill", "a kill of a holder"},
          {"pause", "pause", "a pause of a holder"},
          {"reply_lost", "lost reply to a granted acquire", "a lost reply to a granted acquire"},
          {"partition", "partition", "a partition of a holder"}};
}

// If a renewal's reply is lost, its client holds, and no grant is uncertain.
std::int64_t holders_struck_by(const FaultProof& proof) {
  const StruckCounts& acquires = proof.struck;
  return proof.fault == "reply_lost" ? acquires.granted + acquires.unanswered + acquires.given_up : proof.holders;
}

void add_proof(const FaultProof& proof, std::vector<HolderStrikes>& strikes) {
  for (auto& one : strikes) {
    if (proof.fault == one.fault) one.holders += holders_struck_by(proof);
  }
}

std::vector<HolderStrikes> strikes_on(const RunVerdict& run, const LockAssessment& lock) {
  auto out = no_strikes();
  for (const CellAssessment* one : lock.cells) {
    for (const auto& trial : one->cell->trials) {
      if (severity_of(*one->cell, trial) == Severity::nothing_judged) continue;
      for (const auto& proof : trial.faults) add_proof(proof, out);
    }
  }
  for (const auto& left_out : run.not_tried) {
    if (lock_name(left_out.lock) != lock.lock) continue;
    for (const auto& proof : left_out.faults) add_proof(proof, out);
  }
  return out;
}

// Returns true if some trial could have shown that two held at once.
bool exclusion_was_judged(const LockAssessment& lock) {
  return std::any_of(lock.cells.begin(), lock.cells.end(), [](const CellAssessment* one) {
    const auto& trials = one->cell->trials;
    return !one->explored && std::any_of(trials.begin(), trials.end(), [](const TrialResult& trial) {
      const auto& all = trial.verdict.properties;
      return std::any_of(all.begin(), all.end(), [](const PropertyVerdict& p) {
        return concerns(p.property, Concerns::holders) && p.judgement == Judgement::holds;
      });
    });
  });
}

Grade word_of(const RunVerdict& run, const LockAssessment& lock, const LockGrade& found) {
  const bool lapsed = lock.lapsed;
  if (!lock.broken.empty() || (found.strict && lapsed)) return Grade::broken;
  if (!found.missing.empty() || !found.unreached.empty()) return Grade::not_known;
  const bool is_lease = std::any_of(run.leases_without_tokens.begin(), run.leases_without_tokens.end(),
                                    [&](const std::string& name) { return lock_name(name) == lock.lock; });
  return lapsed || is_lease ? Grade::lease : Grade::safe;
}

}  // namespace

const char* to_text(Grade grade) {
  return entry_of(grade).name;
}

std::string grade_words(Grade grade) {
  return entry_of(grade).words;
}

int LockGrade::exit_code() const {
  return entry_of(grade).exit_code;
}

LockGrade grade_of(const RunVerdict& run, const LockAssessment& lock) {
  LockGrade out;
  out.strict = run.strict;
  out.strikes = strikes_on(run, lock);
  if (!exclusion_was_judged(lock)) out.missing.emplace_back("contention for the lock");
  for (const auto& one : out.strikes) {
    if (one.holders == 0) out.missing.emplace_back(one.needed);
  }
  if (2 * lock.silent.size() > lock.cells.size()) out.missing.emplace_back("a conclusive result in half of the cells");
  out.unreached = unreached_of(run, lock.lock);
  out.grade = word_of(run, lock, out);
  return out;
}

std::string strikes_text(const LockGrade& grade) {
  std::string out;
  for (const auto& one : grade.strikes) {
    out += (out.empty() ? "" : ", ") + std::string(one.words) + " " + count_text(one.holders);
  }
  return out;
}

}  // namespace holdfast
