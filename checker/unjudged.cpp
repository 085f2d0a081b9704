#include "checker/unjudged.hpp"

#include <fmt/format.h>

namespace holdfast {

void Unjudged::see(Seen& seen, std::uint64_t index, std::uint64_t after) {
  if (seen.count++ > 0) return;
  seen.first = index;
  seen.after = after;
}

void Unjudged::event(const Event& event) {
  if (event.actor != Actor::client) return;
  if (event.op == Op::acquire && event.type == EventType::ok && event.token && !tokens_are_judged_) granted(event);
  if (event.op == Op::acquire && event.type == EventType::fail && event.reason == Reason::none) {
    see(without_reason_, event.index);
  }
  const bool renewed = event.op == Op::renew && event.type == EventType::ok;
  if (renewed && context_.holds.operation().hold == nullptr) see(renewed_nothing_, event.index);
}

// The order of two grants that were asked for at one time is not known.
void Unjudged::granted(const Event& event) {
  if (event.key >= tokens_.size()) tokens_.resize(event.key + 1);
  LatestToken& tokens = tokens_[event.key];
  const std::int64_t asked_ns = context_.holds.operation().invoked_ns;
  const Token* before = tokens.largest_before(asked_ns);
  const bool before_it = before != nullptr && before->seen_ns < asked_ns;
  if (before_it && before->value > *event.token) see(falling_, event.index, before->index);
  tokens.add({*event.token, asked_ns, event.time_ns, event.process, event.client, event.index}, event.time_ns);
}

std::vector<std::string> Unjudged::told() const {
  std::vector<std::string> out;
  if (falling_.count > 0) {
    out.push_back(
        fmt::format("tokens fall, {} times, first #{} after #{}; model {} does not judge them, --model fenced would",
                    falling_.count, falling_.first, falling_.after, context_.header.model));
  }
  if (without_reason_.count > 0) {
    out.push_back(
        fmt::format("{} failed acquires give no reason (first #{}); only \"busy\" says that somebody else held the "
                    "lock, and is judged",
                    without_reason_.count, without_reason_.first));
  }
  if (renewed_nothing_.count > 0) {
    out.push_back(
        fmt::format("{} renewals by who was not known to hold the lock were answered ok (first #{}); only one that "
                    "prolongs what another holds is judged",
                    renewed_nothing_.count, renewed_nothing_.first));
  }
  return out;
}

}  // namespace holdfast
