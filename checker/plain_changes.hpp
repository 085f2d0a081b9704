// The plain mutex's acquires and releases, judged without its `busy` answers; one for all properties of a check.
//
//   changes.event(event);                             // of a history under model plain; the properties come after it
//   for (const PlainFault& fault : changes.faults())  // that this event showed
//
// Until the first refusal there is nothing else to judge. From then on whoever judges refusals, too, goes on by itself
// from what was kept of the moment before.
#pragma once

#include <optional>
#include <vector>

#include "checker/plain_rule.hpp"

namespace holdfast {

class PlainChanges {
 public:
  PlainChanges() : rule_(PlainRule::Judge::changes, [this](const PlainFault& fault) { found(fault); }) {}
  PlainChanges(const PlainChanges&) = delete;
  PlainChanges& operator=(const PlainChanges&) = delete;

  static bool refusal(const Event& event) { return event.op == Op::acquire && event.reason == Reason::busy; }

  void event(const Event& event) {
    faults_.clear();
    if (refusal(event) && !before_refusals_) before_refusals_ = rule_;
    rule_.event(event);
  }
  void finish() {
    faults_.clear();
    rule_.finish();
  }

  const std::vector<PlainFault>& faults() const { return faults_; }  // of the event at hand, or of the end
  std::int64_t count() const { return count_; }                      // of all so far
  // As it was before the first refusal; nothing: there was none.
  const std::optional<PlainRule>& before_refusals() const { return before_refusals_; }

 private:
  void found(const PlainFault& fault) {
    ++count_;
    faults_.push_back(fault);
  }

  PlainRule rule_;
  std::optional<PlainRule> before_refusals_;
  std::vector<PlainFault> faults_;
  std::int64_t count_ = 0;
};

}  // namespace holdfast
