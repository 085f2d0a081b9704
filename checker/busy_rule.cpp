#include "checker/busy_rule.hpp"

#include <algorithm>

namespace holdfast {
namespace {

constexpr std::uint32_t kInner = 1U << 31;  // an indeterminate acquire beside the process itself
constexpr std::size_t kMostWaiting = 64;    // more gaps than that under one clean-up that does not answer add nothing

}  // namespace

void IndeterminateAcquires::appeared(std::uint32_t process, std::int64_t acquire_invoked_ns) {
  vanished(process);
  uncertain_[process] = acquire_invoked_ns;
  invoked_ns_.insert(std::upper_bound(invoked_ns_.begin(), invoked_ns_.end(), acquire_invoked_ns), acquire_invoked_ns);
}

void IndeterminateAcquires::vanished(std::uint32_t process) {
  const auto acquire = uncertain_.find(process);
  if (acquire == uncertain_.end()) return;
  invoked_ns_.erase(std::lower_bound(invoked_ns_.begin(), invoked_ns_.end(), acquire->second));
  uncertain_.erase(acquire);
}

void IndeterminateAcquires::release_invoked(std::uint32_t process) {
  const auto acquire = uncertain_.find(process);
  if (acquire == uncertain_.end()) return;
  cleaned_.push_back({process, acquire->second, kNever});
  vanished(process);
}

IndeterminateAcquires::CleanUp IndeterminateAcquires::release_answered(std::uint32_t process, std::int64_t invoked_ns,
                                                                       std::int64_t answered_ns, bool not_held,
                                                                       bool leased, std::int64_t& acquire_invoked_ns) {
  const auto own = std::find_if(cleaned_.begin(), cleaned_.end(),
                                [&](const Cleaned& c) { return c.process == process && c.to_ns == kNever; });
  if (own == cleaned_.end()) return CleanUp::none;
  acquire_invoked_ns = own->from_ns;
  own->to_ns = answered_ns;
  if (!not_held) return CleanUp::proved;
  appeared(process, leased ? own->from_ns : std::max(own->from_ns, invoked_ns));
  cleaned_.erase(own);
  return CleanUp::disproved;
}

void IndeterminateAcquires::forget_before(std::int64_t time_ns) {
  if (cleaned_.empty()) return;
  const auto over = [&](const Cleaned& c) { return c.to_ns < time_ns; };
  cleaned_.erase(std::remove_if(cleaned_.begin(), cleaned_.end(), over), cleaned_.end());
}

std::ptrdiff_t IndeterminateAcquires::may_hold_for_ever(std::int64_t by_ns) const {
  return std::upper_bound(invoked_ns_.begin(), invoked_ns_.end(), by_ns) - invoked_ns_.begin();
}

bool IndeterminateAcquires::cleaned_up_within(std::int64_t from_ns, std::int64_t to_ns) const {
  return std::any_of(cleaned_.begin(), cleaned_.end(),
                     [&](const Cleaned& c) { return c.from_ns <= to_ns && c.to_ns >= from_ns && c.to_ns != kNever; });
}

bool IndeterminateAcquires::may_clean_up_within(std::int64_t from_ns, std::int64_t to_ns) const {
  return std::any_of(cleaned_.begin(), cleaned_.end(),
                     [&](const Cleaned& c) { return c.from_ns <= to_ns && c.to_ns >= from_ns; });
}

void BusyRule::granted(const Hold& hold) {
  leased_ = leased_ || hold.lease_ns > 0;
  Key& key = at(hold.key);
  close(key, hold.sent_ns);
  key.granted_ns = hold.granted_ns;
  if (!hold.late()) {
    key.timely_ns = hold.granted_ns;
    key.timely_to = hold.process;
  }
  if (!hold.late()) key.let_go.clear();  // a late answer belongs to a hold that may be long over
  key.proved_in_gap = key.half_released = false;
  key.indeterminate.forget_before(hold.granted_ns);
}

void BusyRule::ended(const Hold& hold) {
  if (hold.believed()) return;
  Key& key = at(hold.key);
  if (leased_ && hold.last_granted_ns() < key.timely_ns && hold.process != key.timely_to)
    return;  // it was another's by then
  key.belief_end_ns = hold.ended_ns;
  key.ends_ns = {hold.ended_ns, key.ends_ns[0], key.ends_ns[1], key.ends_ns[2]};
  const std::int64_t until_ns = hold.end == HoldEnd::not_held ? hold.ended_ns : kNever;
  if (!key.let_go.empty()) std::erase_if(key.let_go, [&](const LetGo& each) { return each.process == hold.process; });
  key.let_go.push_back({hold.process, until_ns});
}

// To its own holder, whose lease was over: others may have had the lock meanwhile.
void BusyRule::granted_again(const Event& event) {
  const Operation& operation = context_.holds.operation();
  if (operation.hold == nullptr) return;
  Key& key = at(event.key);
  close(key, operation.invoked_ns);
  key.granted_ns = event.time_ns;
  key.proved_in_gap = false;
  key.indeterminate.forget_before(event.time_ns);
  const std::int64_t lease_ns = event.lease_ns.value_or(operation.lease_ns.value_or(operation.hold->lease_ns));
  if (promised_to(operation.invoked_ns, lease_ns) <= event.time_ns) return;  // late: it may be long over
  key.timely_ns = event.time_ns;
  key.timely_to = event.process;
  key.let_go.clear();
}

void BusyRule::unanswered(const Event& event) {
  if (context_.header.model == "reentrant") unknown_depth(event);
  if (event.op == Op::acquire) {
    at(event.key).indeterminate.appeared(event.process, context_.holds.operation().invoked_ns);
  }
}

// A killed client may have been granted what it had asked for, and never cleans up.
void BusyRule::killed(const Event& event) {
  context_.holds.each_open([&](std::uint32_t process, const Operation& o) {
    const bool struck = std::find(event.clients.begin(), event.clients.end(), o.client) != event.clients.end();
    if (!struck || o.op != Op::acquire) return;
    at(o.key).indeterminate.appeared(process, o.invoked_ns);
    at(o.key).dead.emplace_back(process, o.invoked_ns);
  });
}

// The depth of the hold is unknown, so its clean-up may not give back all of it. Treats the rest as a hold of another
// client that never cleans up.
void BusyRule::unknown_depth(const Event& event) {
  const Operation& operation = context_.holds.operation();
  const bool holds = operation.hold && operation.hold->believed();
  if (!holds || (event.op != Op::acquire && event.op != Op::release)) return;
  at(event.key).indeterminate.appeared(event.process | kInner, operation.invoked_ns);
  if (event.op == Op::release) at(event.key).half_released = true;
}

// The release of a holder gives back what it holds; a further acquire of its own can only have taken effect after that.
void BusyRule::asked_back(const Event& event) {
  if (!context_.holds.operation().hold) at(event.key).indeterminate.release_invoked(event.process);
}

// A release that failed for another reason than not_held released nothing: the lock may still be held.
void BusyRule::released(const Event& event) {
  const bool not_held = event.type == EventType::fail && event.reason == Reason::not_held;
  if (event.type != EventType::ok && !not_held) return;
  Key& key = at(event.key);
  for (LetGo& each : key.let_go) {
    if (each.process != event.process || key.half_released) continue;
    // A clean-up of another may have proved already that it had taken effect.
    each.until_ns = std::min(each.until_ns, event.time_ns);
  }
  if (not_held) key.indeterminate.vanished(event.process | kInner);
  if (key.indeterminate.any_cleaned_up()) cleaned_up(key, event, not_held);
}

void BusyRule::cleaned_up(Key& key, const Event& event, bool not_held) {
  const std::int64_t invoked_ns = context_.holds.operation().invoked_ns;
  std::int64_t acquire_ns = 0;
  const auto clean_up =
      key.indeterminate.release_answered(event.process, invoked_ns, event.time_ns, not_held, leased_, acquire_ns);
  // An indeterminate acquire that did hold ends the gap before it, as any grant does; and if it was cleaned up after
  // the last grant, that had been released by then.
  if (clean_up == IndeterminateAcquires::CleanUp::proved) {
    note_proved(key, invoked_ns);
    close(key, acquire_ns);
    if (key.granted_ns < invoked_ns) {
      for (LetGo& each : key.let_go) each.until_ns = std::min(each.until_ns, event.time_ns);
    }
  }
  if (clean_up != IndeterminateAcquires::CleanUp::none) think_again(key);
}

// A belief explains nothing once its lease has passed to another: after a grant that was answered inside its own lease,
// the holder before it no longer holds the lock.
bool BusyRule::may_be_held(const Key& key, std::uint32_t number) const {
  const auto& all = context_.holds.believers(number);
  if (!leased_) return !all.empty();
  return std::any_of(all.begin(), all.end(), [&](const Hold* hold) {
    return hold->last_granted_ns() >= key.timely_ns || hold->process == key.timely_to;
  });
}

void BusyRule::refused(const Event& event) {
  Key& key = at(event.key);
  if (std::erase_if(key.dead, [&](const auto& one) { return one.first == event.process; }) > 0) {
    key.indeterminate.vanished(event.process);  // it was answered that it got nothing, dead or not
  }
  const Operation& attempt = context_.holds.operation();
  const bool held = may_be_held(key, event.key) || key.belief_end_ns >= attempt.invoked_ns;
  const bool let_go_late = !held && key.held_until_ns() >= attempt.invoked_ns;
  if (let_go_late && key.half_released) doubt(key);
  if (held || let_go_late) return;
  consider(key, {event.process, event.client, event.key, attempt.invoked_ns, event.time_ns, attempt.index, event.index,
                 key.belief_end_ns});
}

// Refusals of the gap in which the clean-up may have fallen were judged as if it had not been there.
void BusyRule::note_proved(Key& key, std::int64_t clean_up_ns) {
  std::int64_t gap_ns = 0;
  for (const std::int64_t end_ns : key.ends_ns) {
    if (end_ns <= clean_up_ns) gap_ns = std::max(gap_ns, end_ns);
  }
  if (key.last_considered_ns >= gap_ns) doubt(key);
  key.proved_in_gap = true;
}

// Nothing before it explains the refusal; what comes after it may.
void BusyRule::consider(Key& key, const Refusal& refusal) {
  key.last_considered_ns = std::max(key.last_considered_ns, refusal.refused_ns);
  if (key.proved_in_gap) doubt(key);
  if (key.indeterminate.cleaned_up_within(refusal.invoked_ns, refusal.refused_ns)) return;
  if (key.indeterminate.may_clean_up_within(refusal.invoked_ns, refusal.refused_ns)) {
    doubt(key);
    if (key.waiting.size() < kMostWaiting) key.waiting.push_back({refusal, false});
  } else if (!key.open || refusal.refused_ns < key.open->refused_ns) {
    key.open = refusal;
  }
}

// An acquire that was invoked at `next_invoked_ns` got the lock: a refusal before that time had no reason.
void BusyRule::close(Key& key, std::int64_t next_invoked_ns) {
  if (key.open && key.open->refused_ns < next_invoked_ns) judge(key, *key.open);
  key.open.reset();
  if (key.waiting.empty()) return;
  for (Waiting& w : key.waiting) w.closed = w.closed || w.refusal.refused_ns < next_invoked_ns;
  std::erase_if(key.waiting, [](const Waiting& w) { return !w.closed; });
}

void BusyRule::judge(Key& key, const Refusal& refusal) {
  if (explained_by(indeterminate_before_a_grant(key, refusal), key)) return;
  if (key.indeterminate.cleaned_up_within(refusal.invoked_ns, refusal.refused_ns)) return;
  if (!key.indeterminate.may_clean_up_within(refusal.invoked_ns, refusal.refused_ns)) {
    tell(refusal);
  } else if (key.waiting.size() < kMostWaiting) {
    // Whichever clean-up that is, it may have been called too late for this gap.
    doubt(key);
    key.waiting.push_back({refusal, true});
  }
}

// A clean-up has answered: what it explained is settled, or needs another explanation.
void BusyRule::think_again(Key& key) {
  const std::vector<Waiting> waiting = std::move(key.waiting);
  key.waiting.clear();
  for (const Waiting& w : waiting) w.closed ? judge(key, w.refusal) : consider(key, w.refusal);
}

void BusyRule::finish() {
  for (Key& key : keys_) {
    const bool clean_up = key.open && key.indeterminate.may_clean_up_within(key.open->invoked_ns, key.open->refused_ns);
    if (key.open && !clean_up && !explained_by(indeterminate_at_the_end(key, *key.open), key)) tell(*key.open);
    key.open.reset();
  }
}

// A hold that can end by itself may explain any one gap. Orders alone do not decide which one.
bool BusyRule::explained_by(std::ptrdiff_t indeterminate, const Key& key) {
  if (indeterminate == 0) return false;
  if (leased_ || !key.dead.empty()) doubt(key);
  return true;
}

// Those whose hold can end by itself.
std::ptrdiff_t BusyRule::indeterminate_before_a_grant(const Key& key, const Refusal& refusal) const {
  if (leased_) return indeterminate_at_the_end(key, refusal);
  return std::count_if(key.dead.begin(), key.dead.end(),
                       [&](const auto& one) { return one.second <= refusal.refused_ns; });
}

// All that asked for it before the refusal and may hold it still, and a question that has no answer yet.
std::ptrdiff_t BusyRule::indeterminate_at_the_end(const Key& key, const Refusal& refusal) const {
  std::ptrdiff_t open = 0;
  context_.holds.each_asking(refusal.key, [&](std::uint32_t, const Operation& o) {
    if (!o.dead && o.invoked_ns <= refusal.refused_ns) ++open;
    return open > 0;
  });
  return open + key.indeterminate.may_hold_for_ever(refusal.refused_ns);
}

}  // namespace holdfast
