#include "checker/busy_rule.hpp"

#include <algorithm>

namespace holdfast {

BusyRule::Key& BusyRule::at(std::uint32_t key) {
  if (key >= keys_.size()) keys_.resize(key + 1);
  return keys_[key];
}

void BusyRule::granted(const Tenure& tenure) {
  leased_ = leased_ || tenure.lease_ns > 0;
  Key& key = at(tenure.key);
  if (key.open && tenure.sent_ns > key.open->refused_ns && !ghost_explains(key, *key.open, false)) report_(*key.open);
  key.open.reset();
  key.release_returned_ns = -1;
  key.releasing.reset();
  const auto over = [&](const CleanUp& c) { return c.released_ns < tenure.granted_ns; };
  key.clean_ups.erase(std::remove_if(key.clean_ups.begin(), key.clean_ups.end(), over), key.clean_ups.end());
}

void BusyRule::ended(const Tenure& tenure) {
  if (tenure.believed()) return;
  Key& key = at(tenure.key);
  key.belief_end_ns = tenure.ended_ns;
  key.release_returned_ns = tenure.end == TenureEnd::not_held ? tenure.ended_ns : kNever;
  key.releasing.reset();
  if (tenure.end == TenureEnd::release) key.releasing = tenure.process;
}

void BusyRule::event(const Event& event) {
  if (event.actor != Actor::client) return;
  if (event.op == Op::release) {
    event.type == EventType::invoke ? clean_up(event) : released(event);
  } else if (event.op == Op::acquire && event.type == EventType::info) {
    at(event.key).uncertain[event.process] = context_.tenures.operation(event.process).invoked_ns;
  } else if (event.op == Op::acquire && event.type == EventType::fail && event.reason == Reason::busy) {
    refused(event);
  }
}

// The first release of an identity whose acquire was indeterminate.
void BusyRule::clean_up(const Event& event) {
  Key& key = at(event.key);
  if (key.uncertain.empty()) return;
  const auto acquire = key.uncertain.find(event.process);
  if (acquire == key.uncertain.end()) return;
  key.clean_ups.push_back({event.process, acquire->second, kNever});
  key.uncertain.erase(acquire);
}

// A release that failed for another reason than not_held released nothing: the lock may still be held.
void BusyRule::released(const Event& event) {
  const bool free = event.type == EventType::ok || (event.type == EventType::fail && event.reason == Reason::not_held);
  if (!free) return;
  Key& key = at(event.key);
  if (key.releasing == event.process) key.release_returned_ns = event.time_ns;
  for (CleanUp& c : key.clean_ups) {
    if (c.process == event.process) c.released_ns = event.time_ns;
  }
}

void BusyRule::refused(const Event& event) {
  Key& key = at(event.key);
  const Operation& attempt = context_.tenures.operation(event.process);
  const bool held = !context_.tenures.believers(event.key).empty() || key.belief_end_ns >= attempt.invoked_ns;
  if (held || key.release_returned_ns >= attempt.invoked_ns || key.open) return;
  key.open = Refusal{event.process, event.client,  event.key,   attempt.invoked_ns,
                     event.time_ns, attempt.index, event.index, key.belief_end_ns};
}

bool BusyRule::ghost_explains(const Key& key, const Refusal& refusal, bool last_gap) const {
  const auto held = [&](const CleanUp& c) {
    return c.invoked_ns <= refusal.refused_ns && c.released_ns >= refusal.invoked_ns;
  };
  if (std::any_of(key.clean_ups.begin(), key.clean_ups.end(), held)) return true;
  if (!last_gap && !leased_) return false;
  const auto invoked = [&](const auto& acquire) { return acquire.second <= refusal.refused_ns; };
  if (std::any_of(key.uncertain.begin(), key.uncertain.end(), invoked)) return true;
  const auto& operations = context_.tenures.operations();
  return std::any_of(operations.begin(), operations.end(), [&](const Operation& o) {
    return o.open && o.op == Op::acquire && o.key == refusal.key && o.invoked_ns <= refusal.refused_ns;
  });
}

void BusyRule::finish() {
  for (Key& key : keys_) {
    if (key.open && !ghost_explains(key, *key.open, true)) report_(*key.open);
    key.open.reset();
  }
}

}  // namespace holdfast
