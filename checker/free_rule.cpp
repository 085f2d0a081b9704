#include "checker/free_rule.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "artifact/units.hpp"

namespace holdfast {

std::int64_t taken_at_most_ns(std::int64_t lease_ns, const HistoryHeader& header) {
  const std::int64_t most_ns = std::max(lease_ns, header.lease_ns);
  const std::int64_t whole_ns = (most_ns + kSecond_ns - 1) / kSecond_ns * kSecond_ns;
  return whole_ns + kSecond_ns + header.guard_ns;
}

FreeRule::Key& FreeRule::at(std::uint32_t key) {
  if (key >= keys_.size()) keys_.resize(key + 1);
  return keys_[key];
}

void FreeRule::granted(const Hold& hold) {
  Key& key = at(hold.key);
  flush(key);
  key.lease_ns = std::max(key.lease_ns, hold.lease_ns);
  key.asked_ns = hold.sent_ns;
  key.used_to_ns = std::max(key.used_to_ns, hold.granted_ns);
  key.unknown = false;
}

// Of a lock without a lease only an answered release, or one that says not_held, tells that it was let go.
void FreeRule::ended(const Hold& hold) {
  if (hold.believed()) return;
  Key& key = at(hold.key);
  key.lease_ns = std::max(key.lease_ns, hold.lease_ns);
  key.used_to_ns = std::max(key.used_to_ns, hold.ended_ns);
  const bool let_go = hold.end == HoldEnd::release || hold.end == HoldEnd::not_held;
  if (hold.valid.to_ns == kNever && !let_go) key.unknown = true;
}

void FreeRule::event(const Event& event) {
  if (event.actor != Actor::client || event.type == EventType::invoke) return;
  if (event.op == Op::write || event.op == Op::leave) return;
  Key& key = at(event.key);
  if (event.type != EventType::fail) return used(key, event);
  const bool busy = event.op == Op::acquire && event.reason == Reason::busy;
  if (busy) refused(key, event);
  const bool kept = event.op == Op::release && event.reason != Reason::not_held;
  if (kept && std::max(key.lease_ns, context_.header.lease_ns) == 0) key.unknown = true;
  if (key.last.process != event.process) key.last_of_another = key.last;
  key.last = {event.process, event.time_ns};
}

// An operation that took effect, or may have, even later than now.
void FreeRule::used(Key& key, const Event& event) {
  key.used_to_ns = std::max(key.used_to_ns, event.time_ns);
  key.lease_ns = std::max(key.lease_ns, event.lease_ns.value_or(0));
  if (event.type == EventType::info) key.unknown = true;
}

bool FreeRule::others_asked(const Key& key, const Event& event, std::int64_t invoked_ns) const {
  const Failed& failed = key.last.process == event.process ? key.last_of_another : key.last;
  if (failed.answered_ns >= invoked_ns) return true;
  bool open = false;
  context_.holds.each_open(
      [&](std::uint32_t, const Operation& o) { open = open || (o.key == event.key && o.op != Op::write && !o.dead); });
  return open;
}

void FreeRule::refused(Key& key, const Event& event) {
  const Operation& attempt = context_.holds.operation();
  if (key.unknown || !context_.holds.believers(event.key).empty()) return;
  const std::int64_t allowed_ns = taken_at_most_ns(key.lease_ns, context_.header);
  const std::int64_t free_ns = attempt.invoked_ns - key.used_to_ns;
  if (key.used_to_ns >= 0 && free_ns <= allowed_ns) return;
  const std::int64_t calm_from_ns = std::max<std::int64_t>(0, std::min(key.asked_ns, attempt.invoked_ns - allowed_ns));
  if (context_.faults.acted_since(calm_from_ns)) return;
  if (others_asked(key, event, attempt.invoked_ns)) return;
  const Stalled stalled = context_.faults.stalled_between(event.client, key.used_to_ns, event.time_ns);
  if (key.used_to_ns >= 0 && free_ns - stalled.waited_ns <= allowed_ns) {
    const Story& story = context_.story;
    return doubt_(fmt::format("machine stalled {}: {} was refused {} at {}, {} after it was last used",
                              story.lasting(stalled.waited_ns), story.who(event.process, event.client),
                              story.key(event.key), story.at(event.time_ns), story.lasting(free_ns)));
  }
  if (key.pending.count++ > 0) return;
  ++pending_;
  key.pending.allowed_ns = allowed_ns;
  key.pending.first = {event.process, event.client,  event.key,   attempt.invoked_ns,
                       event.time_ns, attempt.index, event.index, key.used_to_ns};
  key.pending.elsewhere = elsewhere(event.key);
}

// Who holds another key, which may be what is in the way.
std::optional<Hold> FreeRule::elsewhere(std::uint32_t key) const {
  for (std::uint32_t other = 0; other < context_.names.keys.size(); ++other) {
    const auto& holders = context_.holds.believers(other);
    if (other != key && !holders.empty()) return *holders.front();
  }
  return std::nullopt;
}

void FreeRule::flush(Key& key) {
  if (key.pending.count > 0) {
    --pending_;
    report_(key.pending);
  }
  key.pending = {};
}

void FreeRule::drop(std::uint32_t key) {
  if (key >= keys_.size() || keys_[key].pending.count == 0) return;
  --pending_;
  keys_[key].pending = {};
}

void FreeRule::finish() {
  for (Key& key : keys_) flush(key);
}

}  // namespace holdfast
