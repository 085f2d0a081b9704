#include "checker/availability.hpp"

#include <algorithm>

namespace holdfast {

Availability::Key& Availability::at(std::uint32_t key) {
  if (key >= keys_.size()) keys_.resize(key + 1);
  return keys_[key];
}

bool Availability::held(std::uint32_t key, std::int64_t now_ns) const {
  const auto& all = holds_.believers(key);
  return std::any_of(all.begin(), all.end(), [&](const Hold* t) { return t->valid_at(now_ns); });
}

// A sleeper that still believes holds nothing once its lease is over.
std::int64_t Availability::free_since_ns(std::uint32_t key) const {
  std::int64_t since_ns = key < keys_.size() ? keys_[key].held_to_ns : 0;
  for (const Hold* hold : holds_.believers(key)) since_ns = std::max(since_ns, hold->valid.to_ns);
  return since_ns;
}

void Availability::granted(const Hold& hold) {
  Key& key = at(hold.key);
  if (key.tried_ns >= 0) gaps_.push_back({key.tried_ns, hold.granted_ns});
  key.tried_ns = -1;
}

void Availability::ended(const Hold& hold) {
  Key& key = at(hold.key);
  key.held_to_ns = std::max(key.held_to_ns, std::min(hold.ended_ns, hold.valid.to_ns));
}

void Availability::event(const Event& event) {
  if (event.actor != Actor::client || event.op != Op::acquire) return;
  if (event.type == EventType::invoke || event.type == EventType::ok) return;
  Key& key = at(event.key);
  if (key.tried_ns >= 0 || held(event.key, event.time_ns)) return;
  const std::int64_t asked_ns = holds_.operation().invoked_ns;
  if (asked_ns >= free_since_ns(event.key)) key.tried_ns = asked_ns;
}

void Availability::finish(std::int64_t load_end_ns) {
  for (Key& key : keys_) {
    if (key.tried_ns >= 0 && key.tried_ns < load_end_ns) gaps_.push_back({key.tried_ns, load_end_ns});
    key.tried_ns = -1;
  }
}

}  // namespace holdfast
