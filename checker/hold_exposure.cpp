#include "checker/hold_exposure.hpp"

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

void HoldExposure::granted(const Tenure& tenure) {
  ++grants_;
  if (tenure.late()) ++late_grants_;
}

void HoldExposure::ended(const Tenure& tenure) {
  if (context_.faults.acted_since(tenure.granted_ns)) ++grants_under_fault_;
}

void HoldExposure::event(const Event& event) {
  if (event.actor != Actor::client || event.op != Op::acquire) return;
  if (event.type != EventType::invoke) {
    const std::int64_t asked_ns = event.process < asked_ns_.size() ? asked_ns_[event.process] : -1;
    if (asked_ns < 0) return;
    if (may_have_been_granted(event) && context_.faults.acted_since(asked_ns)) ++grants_under_fault_;
    asked_ns_[event.process] = -1;
    return;
  }
  if (event.process >= asked_ns_.size()) asked_ns_.resize(event.process + 1, -1);
  asked_ns_[event.process] = event.time_ns;
  const auto& holders = context_.tenures.believers(event.key);
  if (std::any_of(holders.begin(), holders.end(), [&](const Tenure* t) { return t->process != event.process; })) {
    ++attempts_in_hold_;
  }
}

void HoldExposure::judge(PropertyVerdict& verdict) const {
  const HistoryHeader& header = context_.header;
  verdict.exposure = {{"grants", grants_},
                      {"late_grants", late_grants_},
                      {"attempts_in_hold", attempts_in_hold_},
                      {"grants_under_fault", grants_under_fault_}};
  if (grants_ == 0) not_exercised(verdict, "no grant at all");
  if (header.bare) return;
  const auto fewer = [&](std::int64_t count, std::int64_t least, const char* what) {
    if (count < least) not_exercised(verdict, fmt::format("{} {}, at least {} wanted", count, what, least));
  };
  fewer(grants_, header.minima.grants, "grants");
  fewer(attempts_in_hold_, header.minima.attempts_in_hold, "attempts by others inside a hold");
  if (header.faults_planned) fewer(grants_under_fault_, 1, "grants live while a fault acted");
}

}  // namespace holdfast
