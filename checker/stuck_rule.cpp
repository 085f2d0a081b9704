#include "checker/stuck_rule.hpp"

#include <algorithm>

namespace holdfast {
namespace {

constexpr std::int64_t kSecondNs = 1'000'000'000;

}  // namespace

StuckRule::Key& StuckRule::at(std::uint32_t key) {
  if (key >= keys_.size()) keys_.resize(key + 1);
  return keys_[key];
}

std::int64_t StuckRule::allowed_ns(const Key& key) const {
  const std::int64_t lease_ns = std::max(key.lease_ns, context_.header.lease_ns);
  const std::int64_t whole_ns = (lease_ns + kSecondNs - 1) / kSecondNs * kSecondNs;
  return whole_ns + kSecondNs + context_.header.progress_bound_ns;
}

void StuckRule::close(Key& key) {
  key.refusals = 0;
  if (!key.stuck) return;
  report_(*key.stuck);
  key.stuck.reset();
  --stuck_;
}

void StuckRule::granted(const Tenure& tenure) {
  Key& key = at(tenure.key);
  key.lease_ns = std::max(key.lease_ns, tenure.lease_ns);
  close(key);
}

void StuckRule::ended(const Tenure& tenure) {
  if (!tenure.believed()) at(tenure.key).free_since_ns = tenure.ended_ns;
}

void StuckRule::event(const Event& event) {
  if (event.actor != Actor::client || event.type == EventType::invoke) return;
  const bool takes = event.op == Op::acquire || event.op == Op::renew;
  if (takes && event.type == EventType::info) at(event.key).free_since_ns = event.time_ns;
  const bool refusal = event.reason == Reason::busy || event.reason == Reason::conflict;
  if (event.op == Op::acquire && event.type == EventType::fail && refusal) refused(event);
}

void StuckRule::refused(const Event& event) {
  if (context_.faults.any_in_force() || !context_.tenures.believers(event.key).empty()) return;
  Key& key = at(event.key);
  const std::int64_t free_since_ns = std::max(key.free_since_ns, context_.faults.quiet_since_ns());
  const std::int64_t invoked_ns = context_.tenures.operation(event).invoked_ns;
  if (invoked_ns < free_since_ns) return;
  if (key.refusals == 0 || key.counted_from_ns != free_since_ns) {
    close(key);
    key.counted_from_ns = free_since_ns;
    key.first_index = event.index;
    key.first_client = event.client;
  }
  ++key.refusals;
  const std::int64_t allowed = allowed_ns(key);
  if (key.refusals < 2 || invoked_ns - free_since_ns <= allowed) return;
  if (!key.stuck) ++stuck_;
  key.stuck = Stuck{event.key,
                    free_since_ns,
                    allowed,
                    key.refusals,
                    invoked_ns,
                    {key.first_index, event.index},
                    {key.first_client, event.client}};
}

void StuckRule::finish() {
  for (Key& key : keys_) close(key);
}

}  // namespace holdfast
