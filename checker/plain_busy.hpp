// `busy` answers of a plain mutex: each must see the lock held at some moment of its window. Reports what is impossible
// with the refusals, and possible without them.
#pragma once

#include <functional>
#include <optional>

#include "checker/plain_rule.hpp"

namespace holdfast {

class PlainBusy {
 public:
  explicit PlainBusy(PlainRule::Report report)
      : report_(std::move(report)),
        with_(PlainRule::Judge::busy_too, [this](const PlainFault& fault) { found(fault); }) {}
  PlainBusy(const PlainBusy&) = delete;
  PlainBusy& operator=(const PlainBusy&) = delete;

  void event(const Event& event) {
    const bool refusal = event.op == Op::acquire && event.reason == Reason::busy;
    // Until the first refusal the two are one.
    if (refusal && !without_) {
      without_.emplace(with_, PlainRule::Judge::changes, [this](const PlainFault&) { ++without_refusals_; });
    }
    with_.event(event);
    if (without_) without_->event(event);
  }
  void finish() {
    if (!without_) return;
    with_.finish();
    without_->finish();
    // A refusal that was explained by a grant may leave no room for what came after.
    if (reported_ == 0 && without_refusals_ == 0 && other_) report_(*other_);
  }

 private:
  void found(const PlainFault& fault) {
    if (!without_) {
      ++without_refusals_;
    } else if (fault.operation.kind == PlainOperation::Kind::busy) {
      ++reported_;
      report_(fault);
    } else if (!other_) {
      other_ = fault;
    }
  }

  PlainRule::Report report_;
  PlainRule with_;
  std::optional<PlainRule> without_;
  std::optional<PlainFault> other_;
  std::int64_t reported_ = 0;
  std::int64_t without_refusals_ = 0;
};

}  // namespace holdfast
