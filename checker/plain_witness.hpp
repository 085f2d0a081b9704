// Words for unexplained answers of a plain mutex: `busy` answers while it cannot have been held, and any other answer.
#pragma once

#include <optional>

#include "artifact/verdict.hpp"
#include "checker/plain_rule.hpp"
#include "checker/property.hpp"

namespace holdfast {

// `busy` answers of a plain mutex: each must see the lock held at some moment of its window. Reports what is impossible
// with the refusals, and possible without them (plain_rule.hpp).
class PlainBusy {
 public:
  PlainBusy(const PlainChanges& without, PlainRule::Report report) : without_(without), report_(std::move(report)) {}
  PlainBusy(const PlainBusy&) = delete;
  PlainBusy& operator=(const PlainBusy&) = delete;

  // After `without` has seen it.
  void event(const Event& event) {
    if (PlainChanges::refusal(event) && !with_) {
      with_.emplace(*without_.before_refusals(), PlainRule::Judge::busy_too,
                    [this](const PlainFault& fault) { found(fault); });
    }
    if (with_) with_->event(event);
  }
  void finish() {
    if (!with_) return;
    with_->finish();
    // A refusal that was explained by a grant may leave no room for what came after.
    if (reported_ == 0 && without_.count() == 0 && other_) report_(*other_);
  }

 private:
  void found(const PlainFault& fault) {
    if (fault.operation.kind == PlainOperation::Kind::busy) {
      ++reported_;
      report_(fault);
    } else if (!other_) {
      other_ = fault;
    }
  }

  const PlainChanges& without_;
  PlainRule::Report report_;
  std::optional<PlainRule> with_;
  std::optional<PlainFault> other_;
  std::int64_t reported_ = 0;
};

// An impossible answer of a plain mutex, in words, with the smallest set of operations that shows it.

const char* plain_kind(PlainOperation::Kind kind);
Witness plain_witness(const PropertyContext& context, const PlainFault& fault);

}  // namespace holdfast
