#include "checker/hold_coverage.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "checker/findings.hpp"

namespace holdfast {
namespace {

// An attempt with a statement that got no answer, whatever came of it: that statement may have been a grant.
bool may_have_been_granted(const Event& answer) {
  const auto& all = answer.statements;
  return answer.type == EventType::info ||
         std::any_of(all.begin(), all.end(), [](const Statement& s) { return s.rows < 0; });
}

}  // namespace

void HoldCoverage::granted(const Hold& hold) {
  ++grants_;
  if (hold.surely_late()) ++late_grants_;
  if (header_.waits) count_waiters(hold);
}

// A hold keeps out each client that waits when it begins, just as one that asks during it. (A scheduler that tries
// unseen is represented by the client that waits for its job.)
void HoldCoverage::count_waiters(const Hold& hold) {
  holds_.each_open([&](std::uint32_t, const Operation& o) {
    if (o.op == Op::acquire && o.key == hold.key && !o.dead) ++attempts_in_hold_;
  });
}

void HoldCoverage::ended(const Hold& hold) {
  if (faults_.acted_since(hold.granted_ns)) ++grants_under_fault_;
}

void HoldCoverage::answered(const Event& event) {
  const bool under_fault = faults_.acted_since(holds_.operation().invoked_ns) && may_have_been_granted(event);
  if (under_fault) ++grants_under_fault_;
}

void HoldCoverage::called(const Event& event) {
  const auto& holders = holds_.believers(event.key);
  if (std::any_of(holders.begin(), holders.end(), [&](const Hold* t) { return t->process != event.process; })) {
    ++attempts_in_hold_;
  }
}

void HoldCoverage::judge(PropertyVerdict& verdict) const {
  verdict.coverage = {{"grants", grants_},
                      {"late_grants", late_grants_},
                      {"attempts_in_hold", attempts_in_hold_},
                      {"grants_under_fault", grants_under_fault_}};
  if (grants_ == 0) not_exercised(verdict, "no client was granted the lock");
  if (header_.foreign) return;
  const auto fewer = [&](std::int64_t count, std::int64_t least, const char* what) {
    if (count < least) not_exercised(verdict, fmt::format("{}: {}, at least {} required", what, count, least));
  };
  fewer(grants_, header_.minima.grants, "grants");
  fewer(attempts_in_hold_, header_.minima.attempts_in_hold, "attempts by other clients during a hold");
  if (header_.faults_planned) fewer(grants_under_fault_, 1, "grants in force during a fault");
  StruckCounts all;
  for (const auto& [fault, struck] : struck_.by_name()) {
    all.add(struck);
    if (struck.no_grant()) not_exercised(verdict, no_grant_text(fault, struck));
  }
  if (!all.any()) return;
  verdict.coverage["struck_grants"] = all.granted;
  verdict.coverage["struck_refusals"] = all.refused;
  verdict.coverage["struck_unanswered"] = all.unanswered + all.kept_out;
  verdict.coverage["struck_given_up"] = all.given_up;
}

}  // namespace holdfast
