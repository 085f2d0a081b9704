#include "checker/orphan_rule.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "artifact/units.hpp"
#include "checker/free_rule.hpp"

namespace holdfast {

OrphanRule::Key& OrphanRule::at(std::uint32_t key) {
  if (key >= keys_.size()) keys_.resize(key + 1);
  return keys_[key];
}

void OrphanRule::granted(const Hold& hold) {
  Key& key = at(hold.key);
  flush(key);
  key.unknown = false;
  key.being_freed = false;
}

// Only an answered release proves that the key is free; that comes as a later event.
void OrphanRule::ended(const Hold& hold) {
  Key& key = at(hold.key);
  hold.end == HoldEnd::release ? key.being_freed = true : key.unknown = true;
}

void OrphanRule::event(const Event& event) {
  if (event.actor != Actor::client || event.type == EventType::invoke) return;
  if (event.op == Op::write || event.op == Op::leave) return;
  Key& key = at(event.key);
  if (event.op == Op::acquire) return answered(key, event);
  if (event.op == Op::release && event.type == EventType::ok) {
    key.free_since_ns = event.time_ns;
    key.being_freed = false;
  } else if (event.op == Op::release || event.type == EventType::info) {
    key.unknown = true;
  }
}

void OrphanRule::answered(Key& key, const Event& event) {
  const bool given_up = event.reason == Reason::cancelled;
  cancelled_ += given_up ? 1 : 0;
  if (event.type == EventType::ok) {
    unwanted_ += event.reason != Reason::none ? 1 : 0;
    return;
  }
  if (StuckRule::turned_away(event)) refused(key, event);
  // One that is cancelled while the key is free moves nothing: otherwise clients that wait for an orphan would excuse
  // it.
  const bool first_or_under_hold = !key.last || !context_.holds.believers(event.key).empty();
  if (given_up && first_or_under_hold) {
    const Operation& asked = context_.holds.operation();
    key.last = Orphan{event.key, event, asked.invoked_ns, asked.index, 0, 0, 0, 0, 0, 0, 0, false};
  } else if (!given_up && event.type == EventType::info) {
    key.unknown = true;
  }
}

// The time for which the process has asked in vain since then, over all its attempts.
std::int64_t OrphanRule::asked_ns(Key& key, const Event& event, std::int64_t since_ns) const {
  if (key.asked_since_ns != since_ns) {
    key.asked_since_ns = since_ns;
    key.asked_ns.clear();
  }
  return key.asked_ns[event.process] += event.time_ns - std::max(context_.holds.operation().invoked_ns, since_ns);
}

void OrphanRule::refused(Key& key, const Event& event) {
  if (!key.last || key.unknown || key.being_freed || !context_.holds.believers(event.key).empty()) return;
  if (context_.faults.acted_since(key.last->asked_ns)) return;
  if (!key.orphan && !left_behind(key, event)) return;
  ++key.orphan->refusals;
  key.orphan->last_ns = event.time_ns;
  key.orphan->last_index = event.index;
}

// True if this refusal is the first that only an orphan explains; then `key.orphan` is set.
bool OrphanRule::left_behind(Key& key, const Event& event) {
  const std::int64_t allowed_ns = kSecond_ns + context_.header.guard_ns;
  const std::int64_t since_ns = std::max(key.free_since_ns, key.last->cancelled.time_ns);
  const std::int64_t most_ns = context_.header.waits ? event.time_ns : context_.holds.operation().invoked_ns;
  const std::int64_t asked = asked_ns(key, event, since_ns);
  if (most_ns - since_ns <= allowed_ns) return false;
  const Stalled stalled = context_.faults.stalled_between(event.client, since_ns, event.time_ns);
  // A client that gives up so soon may have been too slow if waits for a processor took half of its time.
  const bool too_slow =
      event.reason == Reason::cancelled && stalled.waited_ns > 0 && asked - 2 * stalled.waited_ns <= allowed_ns;
  if (too_slow || most_ns - since_ns - stalled.waited_ns <= allowed_ns) {
    const Story& story = context_.story;
    doubt_(fmt::format("machine stalled {}: {} was refused {} at {}, {} after a cancelled acquire",
                       story.lasting(stalled.waited_ns), story.who(event.process, event.client), story.key(event.key),
                       story.at(event.time_ns), story.lasting(most_ns - since_ns)));
    return false;
  }
  ++pending_;
  key.orphan = key.last;
  key.orphan->was_held = key.free_since_ns > 0;
  key.orphan->free_since_ns = since_ns;
  key.orphan->allowed_ns = allowed_ns;
  key.orphan->first_client = event.client;
  key.orphan->first_index = event.index;
  return true;
}

void OrphanRule::flush(Key& key) {
  if (!key.orphan) return;
  --pending_;
  report_(*key.orphan);
  key.orphan.reset();
}

void OrphanRule::finish() {
  for (Key& key : keys_) flush(key);
}

Witness orphan_witness(const PropertyContext& context, const Orphan& orphan) {
  const Story& story = context.story;
  const Event& cancelled = orphan.cancelled;
  Witness witness{context.names.keys.at(orphan.key),
                  "",
                  {orphan.asked_index, cancelled.index, orphan.first_index, orphan.last_index},
                  {cancelled.client, orphan.first_client},
                  orphan.free_since_ns,
                  orphan.last_ns,
                  ""};
  witness.text = fmt::format(
      "{} asked for {} at {}, cancelled the request, and was answered at {} without a grant. From {} on no client "
      "acted as holder of {}{}, and no fault was active, but it was refused until {} ({} times, first #{}): for {}, "
      "where a correct lock may take {}.",
      story.subject(cancelled.process, cancelled.client), story.key(orphan.key),
      story.at(orphan.asked_ns, orphan.asked_index), story.at(cancelled.time_ns, cancelled.index),
      story.at(orphan.free_since_ns), story.key(orphan.key),
      orphan.was_held ? ", which its last holder had released" : "", story.at(orphan.last_ns), orphan.refusals,
      orphan.first_index, story.lasting(orphan.last_ns - orphan.free_since_ns), story.lasting(orphan.allowed_ns));
  return witness;
}

}  // namespace holdfast
