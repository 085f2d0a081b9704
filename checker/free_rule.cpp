#include "checker/free_rule.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "artifact/units.hpp"

namespace holdfast {
namespace {

// True if the answer to an attempt that may wait proves nothing, since the wait passed on a machine that let its
// client, or the server, run too little.
bool starved(const PropertyContext& context, const Event& event) {
  const std::int64_t invoked_ns = context.holds.operation().invoked_ns;
  return context.header.waits && context.faults.starved_between(event.client, invoked_ns, event.time_ns);
}

// The last that the server answered with an error: what follows it gives up.
Statement failed_statement(const Event& event) {
  const auto& all = event.statements;
  const auto failed = std::find_if(all.rbegin(), all.rend(), [](const Statement& one) { return one.error != 0; });
  return failed == all.rend() ? Statement{} : *failed;
}

}  // namespace

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
  if (!hold.shared) key.unknown = false;  // beside whoever may hold it, readers are granted it, too
}

// For a lock without a lease only an answered release, or one answered not_held, proves that the holder let go.
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

std::string FreeRule::starved_words(const Event& event, std::int64_t invoked_ns) const {
  const Story& story = context_.story;
  const Stalled stalled = context_.faults.stalled_between(event.client, invoked_ns, event.time_ns);
  return fmt::format(
      "machine stalled {}: {} waited for {} from {} until {} and was refused, and the client or the server could run "
      "for less than half of that time",
      story.lasting(stalled.waited_ns), story.who(event.process, event.client), story.key(event.key),
      story.at(invoked_ns), story.at(event.time_ns));
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
  if (starved(context_, event)) return doubt_(starved_words(event, attempt.invoked_ns));
  const Stalled stalled = context_.faults.stalled_between(event.client, key.used_to_ns, event.time_ns);
  if (key.used_to_ns >= 0 && free_ns - stalled.waited_ns <= allowed_ns) {
    const Story& story = context_.story;
    return doubt_(fmt::format("machine stalled {}: {} was refused {} at {}, {} after the key was last used",
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

// A hold of another key, which may be in the way.
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
  const Wait wait{hold.key, hold.client, hold.sent_ns, hold.granted_ns, {hold.invoke_index, hold.grant_index}};
  if (context_.holds.believers(hold.key).size() == 1) waited(wait, true);
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
  note_held_up(event);
  leave_unanswered(event);
  if (event.op == Op::acquire && event.type == EventType::fail) failed(event);
}

bool StuckRule::is_leased(std::uint32_t key) {
  return std::max(at(key).lease_ns, context_.header.lease_ns) > 0;
}

// Without a lease, a key stays taken until its release is answered, or, without an answer, until a client notices.
void StuckRule::leave_unanswered(const Event& event) {
  const bool unanswered = event.type == EventType::info;
  const bool takes = unanswered && (event.op == Op::acquire || event.op == Op::renew);
  if (!takes && (event.op != Op::release || is_leased(event.key))) return;
  at(event.key).free_since_ns = event.time_ns;
  if (!unanswered) return;
  auto& clients = at(event.key).left_unanswered;
  if (std::find(clients.begin(), clients.end(), event.client) == clients.end()) clients.push_back(event.client);
}

bool StuckRule::asked_under_fault(std::uint32_t key) {
  bool out = false;
  const bool leased = is_leased(key);
  context_.holds.each_open([&](std::uint32_t, const Operation& o) {
    const bool takes = o.op == Op::acquire || o.op == Op::renew || !leased;
    if (o.key != key || !takes || o.dead) return;
    out = out || context_.faults.reach_of(o.client).in_force;
  });
  return out;
}

void StuckRule::note_held_up(const Event& event) {
  if (event.op != Op::acquire && event.op != Op::renew) return;
  const std::int64_t invoked_ns = context_.holds.operation().invoked_ns;
  if (context_.faults.held_up_until_ns(event.client, invoked_ns, event.time_ns) < 0) return;
  at(event.key).held_up[event.client] = event.time_ns;
}

// Returns the end of the last attempt by another client that a fault held up. Until then that client may have a
// transaction open, whose rows this client waits for.
std::int64_t StuckRule::held_up_until_ns(std::uint32_t key, std::uint32_t client) {
  std::int64_t out = -1;
  for (const auto& [other, until_ns] : at(key).held_up) out = other == client ? out : std::max(out, until_ns);
  context_.holds.each_open([&](std::uint32_t, const Operation& o) {
    const bool takes = o.op == Op::acquire || o.op == Op::renew;
    if (o.key != key || o.client == client || !takes || o.dead) return;
    out = std::max(out, context_.faults.held_up_until_ns(o.client, o.invoked_ns, kNever));
  });
  return out;
}

// Returns since when the key has been free; nothing: a client may hold it.
std::optional<std::int64_t> StuckRule::free_since_ns(std::uint32_t number) {
  Key& key = at(number);
  const FaultLog& faults = context_.faults;
  if (faults.all().empty()) return key.free_since_ns;
  const FaultLog::Reach all = faults.reach_of_all();
  if (asked_under_fault(number)) return std::nullopt;
  key.free_since_ns = std::max(key.free_since_ns, all.quiet_since_ns);
  for (const std::uint32_t client : key.left_unanswered) {
    const FaultLog::Reach left = faults.reach_of(client);
    if (left.in_force) return std::nullopt;
    key.free_since_ns = std::max(key.free_since_ns, left.quiet_since_ns);
  }
  key.left_unanswered.clear();
  return key.free_since_ns;
}

// The same, and since when no fault reaches the client.
std::optional<std::int64_t> StuckRule::quiet_since_ns(std::uint32_t key, std::uint32_t client) {
  const auto since_ns = free_since_ns(key);
  const FaultLog::Reach reach = context_.faults.reach_of(client);
  if (!since_ns || reach.in_force) return std::nullopt;
  return std::max(*since_ns, reach.quiet_since_ns);
}

bool StuckRule::turned_away(const Event& event) {
  const bool no_answer = event.reason == Reason::timeout || event.reason == Reason::unavailable;
  const bool failed = event.actor == Actor::client && event.op == Op::acquire && event.type == EventType::fail;
  return failed && !no_answer;
}

void StuckRule::failed(const Event& event) {
  if (!context_.holds.believers(event.key).empty()) return;
  const std::int64_t invoked_ns = context_.holds.operation().invoked_ns;
  if (turned_away(event)) {
    const std::uint64_t invoke_index = context_.holds.operation().index;
    waited({event.key, event.client, invoked_ns, event.time_ns, {invoke_index, event.index}}, true);
  }
  const auto quiet_ns = quiet_since_ns(event.key, event.client);
  if (!quiet_ns || invoked_ns < *quiet_ns) return;
  Key& key = at(event.key);
  if (key.counted_from_ns != key.free_since_ns) {
    close(key);
    key.counted_from_ns = key.free_since_ns;
  }
  Stuck now;
  now.key = event.key;
  now.free_since_ns = key.free_since_ns;
  now.allowed_ns = allowed_ns(key);
  now.last_ns = invoked_ns;
  now.beside_fault = context_.faults.acted_since(key.free_since_ns + 1);
  if (!turned_away(event) || starved(context_, event)) return count(key.unanswered, event, now);
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
  const bool refused =
      event.reason == Reason::busy || event.reason == Reason::conflict || event.reason == Reason::cancelled;
  if (!refused) {
    ++tally.errors;
    tally.failed = failed_statement(event);
  }
  if (tally.refusals < 2 || now.last_ns - now.free_since_ns <= now.allowed_ns) return;
  tally.stuck = now;
  tally.stuck->refusals = tally.refusals;
  tally.stuck->errors = tally.errors;
  tally.stuck->failed = tally.failed;
  tally.stuck->indices = {tally.first_index, event.index};
  tally.stuck->clients = {tally.first_client, event.client};
}

// `answered`: surely by the lock, so that what it did meanwhile was to wait.
void StuckRule::waited(const Wait& wait, bool answered) {
  if (at(wait.key).answered.stuck) return;
  const auto quiet_ns = quiet_since_ns(wait.key, wait.client);
  if (!quiet_ns) return;
  Key& key = at(wait.key);
  const auto free_ns = free_.since_ns(wait.key);
  std::int64_t from_ns = std::max({wait.invoked_ns, *quiet_ns, held_up_until_ns(wait.key, wait.client)});
  std::int64_t most_ns = allowed_ns(key);
  bool asleep = false;
  if (free_ns && answered && wait.until_ns - from_ns <= most_ns) {
    asleep = true;
    from_ns = std::max(from_ns, *free_ns);
    most_ns = kSecond_ns + context_.header.guard_ns + context_.header.progress_bound_ns;
  }
  if (wait.until_ns - from_ns <= most_ns) return;
  const Stalled stalled = context_.faults.stalled_between(wait.client, from_ns, wait.until_ns);
  const bool known = answered && wait.until_ns - from_ns - stalled.waited_ns > most_ns;
  Stuck stuck;
  stuck.key = wait.key;
  stuck.free_since_ns = from_ns;
  stuck.allowed_ns = most_ns;
  stuck.refusals = 1;
  stuck.waited = true;
  stuck.asleep = asleep;
  stuck.beside_fault = context_.faults.acted_since(from_ns + 1);
  stuck.last_ns = wait.until_ns;
  stuck.indices = wait.indices;
  stuck.clients = {wait.client};
  (known ? key.answered : key.unanswered).stuck = stuck;
  if (known) ++stuck_;
}

void StuckRule::finish() {
  context_.holds.each_open([&](std::uint32_t, const Operation& o) {
    if (o.op != Op::acquire || o.dead || !context_.holds.believers(o.key).empty()) return;
    waited({o.key, o.client, o.invoked_ns, last_ns_, {o.index}}, context_.header.waits);
  });
  for (Key& key : keys_) close(key);
}

Witness free_witness(const PropertyContext& context, const FreeRefusals& refusals) {
  const Story& story = context.story;
  const Refusal& first = refusals.first;
  Witness witness{context.names.keys.at(first.key),
                  "",
                  {first.invoke_index, first.index},
                  {first.client},
                  first.invoked_ns,
                  first.refused_ns,
                  ""};
  const std::string since =
      first.free_since_ns < 0
          ? "it had never been held"
          : fmt::format("a holder last held or asked for it at {}, and a correct lock may stay taken for {} after that",
                        story.at(first.free_since_ns), story.lasting(refusals.allowed_ns));
  witness.text = fmt::format(
      "{} asked for {} at {} and was refused as busy at {}, although {}; no other client asked for it meanwhile, and "
      "no fault was active.",
      story.subject(first.process, first.client), story.key(first.key), story.at(first.invoked_ns),
      story.at(first.refused_ns, first.index), since);
  if (refusals.count > 1) witness.text += fmt::format(" This happened {} times in a row.", refusals.count);
  if (refusals.elsewhere) {
    witness.clients.push_back(refusals.elsewhere->client);
    witness.indices.push_back(refusals.elsewhere->grant_index);
    witness.text += fmt::format(" Another key was held at that time: {} had held {} since {}.",
                                story.who(*refusals.elsewhere), story.key(refusals.elsewhere->key),
                                story.at(refusals.elsewhere->granted_ns, refusals.elsewhere->grant_index));
  }
  return witness;
}

std::string free_words(const PropertyContext& context, const Stuck& stuck) {
  const std::string key = context.story.key(stuck.key);
  const std::string free = stuck.asleep
                               ? key + " had been released, no client held it, and no operation on it was unanswered"
                               : "no client acted as holder of " + key;
  return free + (stuck.beside_fault ? " and no fault struck the waiting clients" : " and no fault was active");
}

Witness waiting_witness(const PropertyContext& context, const Stuck& stuck) {
  const Story& story = context.story;
  Witness witness{
      context.names.keys.at(stuck.key), "", stuck.indices, stuck.clients, stuck.free_since_ns, stuck.last_ns, ""};
  const bool answered = stuck.indices.size() > 1;
  witness.text = fmt::format(
      "From {} on {}, but the acquire of client {} (#{}) kept waiting {} {}: for {}, where a correct lock may take {}.",
      story.at(stuck.free_since_ns), free_words(context, stuck), stuck.clients.front(), stuck.indices.front(),
      answered ? "until" : "and was unanswered at", story.at(stuck.last_ns),
      story.lasting(stuck.last_ns - stuck.free_since_ns), story.lasting(stuck.allowed_ns));
  return witness;
}

}  // namespace holdfast
