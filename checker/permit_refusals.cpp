#include "checker/permit_refusals.hpp"

#include <algorithm>

namespace holdfast {

PermitRefusals::Key& PermitRefusals::at(std::uint32_t key) {
  if (key >= keys_.size()) keys_.resize(key + 1);
  return keys_[key];
}

void PermitRefusals::event(const Event& event, const Operation& operation) {
  if (event.actor != Actor::client || (event.op != Op::acquire && event.op != Op::release)) return;
  Key& key = at(event.key);
  if (event.type != EventType::invoke) {
    answered(key, event, operation);
    judge(event.key, false);
    return;
  }
  if (event.op != Op::acquire) return;
  key.full = key.full || key.changes.size() >= kMostWatched;
  key.changes.push_back({event.time_ns, event.process, false, true});
}

void PermitRefusals::answered(Key& key, const Event& event, const Operation& operation) {
  const bool ok = event.type == EventType::ok;
  if (event.op == Op::release) {
    if (ok) key.changes.push_back({event.time_ns, event.process, true, false});
    return;
  }
  const auto own = std::find_if(key.changes.rbegin(), key.changes.rend(),
                                [&](const Change& c) { return c.open && c.process == event.process; });
  if (own == key.changes.rend()) return;
  own->open = false;
  if (event.type != EventType::fail) return;
  key.changes.erase(own.base() - 1);
  if (event.reason != Reason::busy || key.full) return;
  key.waiting.push_back(
      {event.key, event.process, event.client, {operation.invoked_ns, event.time_ns}, operation.index, event.index, 0});
}

// The most that may be held at a moment of the window.
std::int64_t PermitRefusals::most_in(const Key& key, const Window& window) {
  std::int64_t held = key.before;
  std::int64_t most = 0;
  bool inside = false;
  for (const Change& change : key.changes) {
    const bool reached = change.back ? change.time_ns >= window.from_ns : change.time_ns > window.from_ns;
    if (reached && !inside) {
      inside = true;
      most = held;
    }
    if (change.time_ns > window.to_ns) break;
    held += change.back ? -1 : 1;
    if (inside) most = std::max(most, held);
  }
  return inside ? most : held;
}

// Once it is known of all that were open beside it whether they were granted.
void PermitRefusals::judge(std::uint32_t number, bool at_the_end) {
  Key& key = keys_[number];
  while (!key.waiting.empty()) {
    PermitRefusal& refusal = key.waiting.front();
    const bool known = std::none_of(key.changes.begin(), key.changes.end(),
                                    [&](const Change& c) { return c.open && c.time_ns <= refusal.window.to_ns; });
    if (!known && !at_the_end) return;
    refusal.most = most_in(key, refusal.window);
    if (refusal.most < needed_) found_(refusal);
    key.waiting.pop_front();
  }
  forget(key);
}

// Forgets changes that were over before the earliest call that may still be refused.
void PermitRefusals::forget(Key& key) {
  if (key.changes.empty() || key.changes.front().open) return;
  const auto first = std::find_if(key.changes.begin(), key.changes.end(), [](const Change& c) { return c.open; });
  const std::int64_t open_ns = first == key.changes.end() ? kNever : first->time_ns;
  while (!key.changes.empty() && !key.changes.front().open && key.changes.front().time_ns < open_ns) {
    key.before += key.changes.front().back ? -1 : 1;
    key.changes.pop_front();
  }
  if (key.changes.empty()) key.full = false;
}

void PermitRefusals::finish() {
  for (std::uint32_t number = 0; number < keys_.size(); ++number) judge(number, true);
}

}  // namespace holdfast
