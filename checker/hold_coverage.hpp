// Counts how often the situation that exclusion is about arose, so that a `holds` means something: grants, attempts by
// others during a hold (of a lock that waits, also those that were waiting when the hold began), and, if faults were
// planned, a grant that was live while one acted. An acquire that was not granted may still have taken effect if it, or
// one of its statements, got no answer: one that met a fault counts as well, since a lost reply is just that situation.
// A fault that is aimed at a grant must have struck one. One instance serves all properties of a check.
#pragma once

#include <cstdint>

#include "artifact/verdict.hpp"
#include "checker/causes.hpp"
#include "checker/holds.hpp"
#include "checker/struck_acquires.hpp"

namespace holdfast {

class HoldCoverage {
 public:
  HoldCoverage(const HistoryHeader& header, const Holds& holds, const FaultLog& faults, const StruckAcquires& struck)
      : header_(header), holds_(holds), faults_(faults), struck_(struck) {}
  void granted(const Hold& hold);
  void ended(const Hold& hold);
  // Events of an acquire, after Holds and FaultLog have processed them.
  void called(const Event& event);
  void answered(const Event& event);

  // Adds the counts, and turns `holds` into `not_exercised` where they are too small.
  void judge(PropertyVerdict& verdict) const;

 private:
  void count_waiters(const Hold& hold);

  const HistoryHeader& header_;
  const Holds& holds_;
  const FaultLog& faults_;
  const StruckAcquires& struck_;
  std::int64_t grants_ = 0;
  std::int64_t late_grants_ = 0;
  std::int64_t attempts_in_hold_ = 0;
  std::int64_t grants_under_fault_ = 0;
};

}  // namespace holdfast
