#include "checker/owner_rule.hpp"

#include <fmt/format.h>

#include "checker/operation_witness.hpp"

namespace holdfast {

void OwnerRule::allow_release(std::uint32_t process, bool allowed) {
  if (process >= may_release_.size()) may_release_.resize(process + 1);
  may_release_[process] = allowed;
}

void OwnerRule::granted(const Tenure& tenure) {
  allow_release(tenure.process, false);
}

void OwnerRule::completed(const Event& event, const Operation& operation) {
  if (event.op == Op::acquire) acquired(event, operation);
  if (event.op == Op::release) released(event, operation);
}

void OwnerRule::acquired(const Event& event, const Operation& operation) {
  if (event.type == EventType::info) allow_release(event.process, true);
  if (event.type != EventType::ok || !operation.tenure || context_.header.model == "reentrant") return;
  const Tenure& own = *operation.tenure;
  if (own.lease_ns > 0 && operation.valid_to_ns <= event.time_ns) return;
  findings_.add("granted_twice", 0, [&] {
    Witness witness = operation_witness(context_, event, operation);
    add_tenure(witness, own);
    witness.text = fmt::format("{} It was granted it again at {} (#{}) without having released it.",
                               context_.story.held(own), context_.story.at(event.time_ns), event.index);
    return witness;
  });
}

void OwnerRule::released(const Event& event, const Operation& operation) {
  const bool lost = event.type == EventType::fail && event.reason == Reason::not_held;
  if (event.type != EventType::ok) {
    if (!lost) allow_release(event.process, true);
    return;
  }
  if (operation.tenure || (event.process < may_release_.size() && may_release_[event.process])) return;
  findings_.add("release_without_grant", 0, [&] {
    const Story& story = context_.story;
    Witness witness = operation_witness(context_, event, operation);
    witness.text = fmt::format("{} released {} at {} (#{}) and was answered ok, but had not been granted it.",
                               capitalized(story.who(event.process, event.client)), story.key(event.key),
                               story.at(event.time_ns), event.index);
    return witness;
  });
}

}  // namespace holdfast
