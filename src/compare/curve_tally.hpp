// Counts the trials at a point of a curve.
//
//   CurveTally tally(judged_by, fenced);
//   for (const auto& trial : cell.trials) tally.add(trial, point);
//   set_interval(point);
//
// A trial counts if its fault struck a client that was granted the lock, or may have been, and if its properties were
// judged. One violated property makes it violated. With fencing tokens, two holders at once, of whom the data refused
// the older one, are no violation but counted apart (`lapsed`): no lease prevents them. Pure.
#pragma once

#include <string>
#include <vector>

#include "artifact/curve.hpp"
#include "artifact/run_verdict.hpp"

namespace holdfast {

class CurveTally {
 public:
  // `allows_lapses`: of a lock with fencing tokens, unless a single property was requested.
  CurveTally(std::vector<std::string> judged_by, bool allows_lapses)
      : judged_by_(std::move(judged_by)), allows_lapses_(allows_lapses) {}

  void add(const TrialResult& trial, CurvePoint& point) const;

 private:
  bool is_violation(const PropertyVerdict& property) const;
  bool is_judged(const std::string& property) const;
  std::string why_undecided(const TrialResult& trial, CurvePart part) const;
  void count_violations(const TrialResult& trial, CurvePoint& point) const;

  std::vector<std::string> judged_by_;
  bool allows_lapses_;
};

// Why the trial's fault did not strike a granted client at the point; empty: it did, or the point has no fault.
std::string why_not_struck(const TrialResult& trial, CurvePart part);

// Sets the 95 % interval; leaves it empty for a point that is not measured.
void set_interval(CurvePoint& point);

// 130 if interrupted; if no trial counted, 5 if the harness failed or 4 if none could run here; 3 if a point is not
// measured; else 0.
int exit_code_of(const CurveRun& run);

}  // namespace holdfast
