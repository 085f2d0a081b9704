// The grade of a lock: one of four answers to "is this lock safe?", each with its exit code.
//
//   const LockGrade& grade = assess(run).locks.front().grade;
//   grade_words(grade.grade)   "as safe as a lease can be"
//   grade.exit_code()          0
//   grade.missing              {"a kill of a holder"}: what a better grade needs
//
// - broken: the lock broke a promise. With `strict`, a lapsed lease counts as a broken promise.
// - not known: nothing broke, but exclusion was not tested, one of the four most frequent faults of production (kill,
//   pause, lost reply to a granted acquire, partition) struck no holder, most cells had no conclusive result, or an
//   assertion of the lock's author was never reached.
// - as safe as a lease can be: the only violations are those that no lease prevents. A lock with a lease and without a
//   fencing token is never graded higher.
// - safe: nothing was violated.
//
// A lock is graded by its promises alone. A run whose scenarios expect violations of it does not grade it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "artifact/run_verdict.hpp"

namespace holdfast {

// The worst first.
enum class Grade : std::uint8_t { broken, not_known, lease, safe };
const char* to_text(Grade);            // for programs: "as_safe_as_a_lease"
std::string grade_words(Grade grade);  // for people: "as safe as a lease can be"

// One of the four faults, and the number of holders that it struck in judged trials.
struct HolderStrikes {
  const char* fault = "";   // as in scenarios: "reply_lost"
  const char* words = "";   // "kill"
  const char* needed = "";  // "a kill of a holder"
  std::int64_t holders = 0;
};

struct LockGrade {
  Grade grade = Grade::not_known;
  bool strict = false;  // lapses were counted as broken promises
  std::vector<HolderStrikes> strikes;
  std::vector<std::string> missing;    // what a better grade needs, in words
  std::vector<std::string> unreached;  // assertions of the lock's author: `sometimes "a retry"`

  int exit_code() const;
};

struct LockAssessment;  // reports/promises.hpp
LockGrade grade_of(const RunVerdict&, const LockAssessment&);

// "kill 2, pause 5, lost reply to a granted acquire 3, partition 4"
std::string strikes_text(const LockGrade&);

}  // namespace holdfast
