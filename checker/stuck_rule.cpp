#include "checker/stuck_rule.hpp"

#include <algorithm>

#include "checker/free_rule.hpp"

namespace holdfast {

StuckRule::Key& StuckRule::at(std::uint32_t key) {
  if (key >= keys_.size()) keys_.resize(key + 1);
  return keys_[key];
}

std::int64_t StuckRule::allowed_ns(const Key& key) const {
  return taken_at_most_ns(key.lease_ns, context_.header) + context_.header.progress_bound_ns;
}

void StuckRule::close(Key& key) {
  if (key.answered.stuck) {
    report_(*key.answered.stuck);
    --stuck_;
  } else if (key.unanswered.stuck) {
    unreachable_(*key.unanswered.stuck);
  }
  key.answered = key.unanswered = {};
}

void StuckRule::granted(const Hold& hold) {
  Key& key = at(hold.key);
  if (context_.holds.believers(hold.key).size() == 1) {
    waited({hold.key, hold.client, hold.sent_ns, hold.granted_ns, {hold.invoke_index, hold.grant_index}}, true);
  }
  key.lease_ns = std::max(key.lease_ns, hold.lease_ns);
  close(key);
}

void StuckRule::ended(const Hold& hold) {
  if (!hold.believed()) at(hold.key).free_since_ns = hold.ended_ns;
}

void StuckRule::event(const Event& event) {
  if (event.actor != Actor::client) return;
  last_ns_ = event.time_ns;
  if (event.type == EventType::invoke) return;
  const bool takes = event.op == Op::acquire || event.op == Op::renew;
  if (takes && event.type == EventType::info) at(event.key).free_since_ns = event.time_ns;
  if (event.op == Op::acquire && event.type == EventType::fail) failed(event);
}

bool StuckRule::turned_away(const Event& event) {
  const bool no_answer = event.reason == Reason::timeout || event.reason == Reason::unavailable;
  const bool failed = event.actor == Actor::client && event.op == Op::acquire && event.type == EventType::fail;
  return failed && !no_answer;
}

void StuckRule::failed(const Event& event) {
  if (context_.faults.any_in_force() || !context_.holds.believers(event.key).empty()) return;
  Key& key = at(event.key);
  const std::int64_t free_since_ns = std::max(key.free_since_ns, context_.faults.quiet_since_ns());
  const std::int64_t invoked_ns = context_.holds.operation().invoked_ns;
  if (turned_away(event)) {
    const std::uint64_t invoke_index = context_.holds.operation().index;
    waited({event.key, event.client, invoked_ns, event.time_ns, {invoke_index, event.index}}, true);
  }
  if (invoked_ns < free_since_ns) return;
  if (key.counted_from_ns != free_since_ns) {
    close(key);
    key.counted_from_ns = free_since_ns;
  }
  const Stuck now{event.key, free_since_ns, allowed_ns(key), 0, false, 0, invoked_ns, {}, {}};
  if (!turned_away(event)) return count(key.unanswered, event, now);
  const bool known = key.answered.stuck.has_value();
  count(key.answered, event, now);
  if (!known && key.answered.stuck) ++stuck_;
}

void StuckRule::count(Tally& tally, const Event& event, const Stuck& now) {
  if (tally.refusals == 0) {
    tally.first_index = event.index;
    tally.first_client = event.client;
  }
  ++tally.refusals;
  tally.errors += event.reason == Reason::busy || event.reason == Reason::conflict ? 0 : 1;
  if (tally.refusals < 2 || now.last_ns - now.free_since_ns <= now.allowed_ns) return;
  tally.stuck = now;
  tally.stuck->refusals = tally.refusals;
  tally.stuck->errors = tally.errors;
  tally.stuck->indices = {tally.first_index, event.index};
  tally.stuck->clients = {tally.first_client, event.client};
}

// `answered`: surely by the lock, so that what it did meanwhile was to wait.
void StuckRule::waited(const Wait& wait, bool answered) {
  Key& key = at(wait.key);
  if (context_.faults.any_in_force() || key.answered.stuck) return;
  const std::int64_t free_since_ns = std::max(key.free_since_ns, context_.faults.quiet_since_ns());
  const std::int64_t from_ns = std::max(wait.invoked_ns, free_since_ns);
  const std::int64_t most_ns = allowed_ns(key);
  if (wait.until_ns - from_ns <= most_ns) return;
  const Stalled stalled = context_.faults.stalled_between(wait.client, from_ns, wait.until_ns);
  const bool known = answered && wait.until_ns - from_ns - stalled.waited_ns > most_ns;
  (known ? key.answered : key.unanswered).stuck = {wait.key,      from_ns,      most_ns,      1, true, 0,
                                                   wait.until_ns, wait.indices, {wait.client}};
  if (known) ++stuck_;
}

void StuckRule::finish() {
  context_.holds.each_open([&](std::uint32_t, const Operation& o) {
    if (o.op != Op::acquire || o.dead || !context_.holds.believers(o.key).empty()) return;
    waited({o.key, o.client, o.invoked_ns, last_ns_, {o.index}}, context_.header.waits);
  });
  for (Key& key : keys_) close(key);
}

}  // namespace holdfast
