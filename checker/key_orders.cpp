#include "checker/key_orders.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace holdfast {
namespace {

// A renewal or release that answered ok and changed nothing says nothing.
bool did_something(const Event& event) {
  return event.op == Op::acquire ? event.type == EventType::ok : took_effect(event);
}

}  // namespace

KeyOrders::KeyOrders(const HistoryHeader& header, const Holds& holds, const Story& story)
    : header_(header), holds_(holds), story_(story) {
  const std::string& m = header.model;
  active_ = header.foreign && (m == "owner" || m == "reentrant" || m == "fenced" || m == "lease");
  of_leases_ = leased_ = lapses_ = m == "lease";
  reentrant_ = m == "reentrant";
}

LockRules KeyOrders::rules() const {
  return {reentrant_, lapses_};
}

void KeyOrders::doubt(std::uint32_t key) {
  if (active_) at(key).doubted = true;
}

// If leases are not judged, a hold is over for all others when its holder's belief ends; the lock may not know that
// yet.
void KeyOrders::given_up(const Event& event) {
  if (of_leases_) return;
  lapses_ = true;
  let_drop(at(event.key), event.time_ns, [&](const SearchedOperation& o) { return o.process == event.process; });
}

// From now on the lock may drop what these acquires were granted.
template <typename Whose>
void KeyOrders::let_drop(Key& key, std::int64_t from_ns, const Whose& whose) {
  for (Searched* all : {&key.open, &key.answered}) {
    for (SearchedOperation& o : *all) {
      if (o.op == Op::acquire && whose(o)) o.left_ns = std::min(o.left_ns, from_ns);
    }
  }
}

// The session of a killed client ends, and all that it holds with it.
void KeyOrders::killed(const Event& event) {
  if (!active_ || of_leases_) return;
  lapses_ = true;
  for (Key& key : keys_) {
    let_drop(key, event.time_ns, [&](const SearchedOperation& o) {
      return std::find(event.clients.begin(), event.clients.end(), o.client) != event.clients.end();
    });
  }
}

std::int64_t KeyOrders::lease_of(const Event& event) const {
  const Operation& operation = holds_.operation();
  if (!story_.timed()) return kUnknownLease;
  if (event.lease_ns) return *event.lease_ns;
  if (operation.lease_ns) return *operation.lease_ns;
  // A renewal that names none is for as long as what it renews.
  if (operation.hold && event.type == EventType::ok) return operation.hold->lease_ns;
  if (event.type == EventType::ok && event.op == Op::acquire) return header_.lease_ns;
  return header_.lease_ns > 0 ? header_.lease_ns : kUnknownLease;
}

void KeyOrders::invoked(const Event& event) {
  Key& key = at(event.key);
  ++key.asked;
  key.called_ns = event.time_ns;
  if (event.op == Op::release && event.process == key.holder && holds_.operation().hold) key.releasing = true;
  const Operation& operation = holds_.operation();
  // One for less may take back what was promised, or not, while it has no answer.
  const bool for_less =
      event.op == Op::renew && operation.hold && event.lease_ns && operation.hold->lease_ns != *event.lease_ns;
  if (of_leases_ && for_less) key.doubted = true;
  ++key.calls;
  if (key.lost) return;
  if (key.kept() == kMostKept || kept_ == kMostKeptInAll) return give_up(key);
  ++kept_;
  SearchedOperation& o = key.open.emplace_back();
  o.process = event.process;
  o.client = event.client;
  o.op = event.op;
  o.called = key.calls;
  o.invoked_ns = event.time_ns;
  o.lease_ns = lease_of(event);
  o.invoke_index = o.index = event.index;
}

// Leaves out operations that began before the piece.
void KeyOrders::completed(const Event& event) {
  Key& key = at(event.key);
  --key.asked;
  const bool ok = did_something(event);
  const std::uint64_t called = holds_.operation().index;
  for (SearchedOperation& o : key.open) {
    if (o.invoke_index != called) continue;
    close(key, o, event, ok);
    break;
  }
  note(key, event, ok);
  forget_if_free(key);
}

void KeyOrders::close(Key& key, SearchedOperation& o, const Event& event, bool ok) {
  const Reason telling = event.op == Op::acquire ? Reason::busy : Reason::not_held;
  const bool told = ok || (event.type == EventType::fail && event.reason == telling);
  o.index = event.index;
  if (told) {
    o.said = event.type;
    o.answered_ns = event.time_ns;
    if (event.type == EventType::ok) o.lease_ns = lease_of(event);
  } else if (event.type != EventType::info || (event.op == Op::renew && o.lease_ns == kUnknownLease)) {
    o.invoked_ns = kNever;  // it surely had no effect, or none that matters, and says nothing
  } else if (event.op == Op::release) {
    remember(o, event.key);
  } else if (event.op == Op::renew && of_leases_ && key.strays.size() <= kMostStrays) {
    key.strays.push_back(o);
  }
  key.answered.push_back(o);
  if (&o != &key.open.back()) o = key.open.back();
  key.open.pop_back();
}

void KeyOrders::remember(const SearchedOperation& release, std::uint32_t key) {
  if (uncertain_.size() == kMostUncertain) {
    uncertain_.erase(uncertain_.begin());
    forgot_ = true;
  }
  uncertain_[release.process] = {key, release};
}

void KeyOrders::goes_on(const Event& event) {
  if (!active_) return;
  Key& key = at(event.key);
  key.doubted = true;
  const auto before = uncertain_.find(event.process);
  if (before != uncertain_.end() && before->second.key != event.key) return;
  if (before != uncertain_.end()) {
    key.may_come.push_back(before->second.release);
    uncertain_.erase(before);
  } else if (forgot_ || key.was_lost) {
    key.undecided = true;  // it may have been said when nothing could be kept
  }
}

// Notes the part of the answer that the rules do not decide, and the state of the lock after it.
void KeyOrders::note(Key& key, const Event& event, bool ok) {
  const Operation& operation = holds_.operation();
  if (event.op == Op::acquire) {
    if (ok) granted(key, event);
    if (event.type == EventType::info) {
      ++key.unanswered_acquires;
      if (of_leases_ && operation.hold) key.doubted = true;
    }
    if (event.type == EventType::fail && event.reason == Reason::busy) refused(key, event);
    return;
  }
  const bool not_held = event.type == EventType::fail && event.reason == Reason::not_held;
  const bool under_none = of_leases_ && (!operation.hold || operation.hold->valid.to_ns <= event.time_ns);
  if (of_leases_ && (not_held || (ok && under_none))) key.doubted = true;
  if (event.op == Op::renew && ok && of_leases_) {
    key.ends_ns = end_of(lease_of(event), event.time_ns);
    promised(key, event.process, lease_of(event));
  }
  if (event.op == Op::release) given_back(key, event, ok);
}

std::int64_t KeyOrders::end_of(std::int64_t lease_ns, std::int64_t from_ns) {
  return lease_ns == kUnknownLease ? kNever : promised_to(from_ns, lease_ns);
}

void KeyOrders::granted(Key& key, const Event& event) {
  if (of_leases_) granted_lease(key, event);
  key.granted = true;
  key.holder = event.process;
  key.granted_ns = event.time_ns;
  key.released_ns = -1;
  key.releasing = false;
}

void KeyOrders::granted_lease(Key& key, const Event& event) {
  const Operation& operation = holds_.operation();
  const std::int64_t lease_ns = lease_of(event);
  const bool may_have_lapsed = key.granted && key.released_ns < 0;
  const bool early = may_have_lapsed && operation.invoked_ns < key.ends_ns;
  if (early) {
    if (key.releasing && !key.releaser)
      key.releaser = key.holder;
    else
      key.doubted = true;
  }
  const std::int64_t earliest_ns = end_of(lease_ns, operation.invoked_ns);
  if (earliest_ns <= event.time_ns) key.doubted = true;
  if (earliest_ns <= key.began_ns) key.undecided = true;
  key.ends_ns = end_of(lease_ns, event.time_ns);
  promised(key, event.process, lease_ns);
}

// A renewal for less that had no answer may still shorten it, in any piece. (A grant before the promise is over causes
// a doubt.)
void KeyOrders::promised(Key& key, std::uint32_t process, std::int64_t lease_ns) {
  for (const SearchedOperation& stray : key.strays) {
    const auto same = [&](const SearchedOperation& o) { return o.invoke_index == stray.invoke_index; };
    const bool is_shorter = stray.lease_ns > 0 && (lease_ns <= 0 || stray.lease_ns < lease_ns);
    if (stray.process != process || !is_shorter) continue;
    if (std::none_of(key.may_come.begin(), key.may_come.end(), same)) key.may_come.push_back(stray);
  }
}

void KeyOrders::given_back(Key& key, const Event& event, bool ok) {
  const Operation& operation = holds_.operation();
  if (key.releaser == event.process) {  // another has been granted it meanwhile
    key.releaser.reset();
    if (!ok) key.doubted = true;
  }
  if (event.process == key.holder) key.releasing = false;
  if (!ok) return;
  const bool clean_up = !operation.hold;
  if (clean_up && uncertain(key, event.process)) --key.unanswered_acquires;
  // The depth of a reentrant hold is unknown after a release without an answer.
  const bool unknown_depth = reentrant_ && uncertain_.count(event.process) > 0;
  const bool whole = event.process == key.holder && !unknown_depth && !(operation.hold && operation.hold->believed());
  if (!whole && !(clean_up && key.granted_ns < operation.invoked_ns)) return;
  key.released_ns = operation.invoked_ns;
  key.holder = event.process;  // a clean-up shows that it was
}

// It asked for it in this piece, and had no answer.
bool KeyOrders::uncertain(const Key& key, std::uint32_t process) {
  const auto it = [&](const SearchedOperation& o) {
    return o.process == process && o.op == Op::acquire && o.said == EventType::info && o.invoked_ns != kNever;
  };
  return std::any_of(key.answered.begin(), key.answered.end(), it) || std::any_of(key.open.begin(), key.open.end(), it);
}

// Only the believer that was granted it last may still hold it.
void KeyOrders::refused(Key& key, const Event& event) {
  const auto& believers = holds_.believers(event.key);
  const bool last =
      std::any_of(believers.begin(), believers.end(), [&](const Hold* h) { return h->process == key.holder; });
  if (of_leases_ && !believers.empty() && !last) key.doubted = true;
}

bool KeyOrders::may_be_forgotten(const Key& key) const {
  if (key.unanswered_acquires > 0 || key.releaser) return false;
  if (key.granted && key.released_ns < 0) return false;
  if (key.asked == 0) return true;
  // An operation called after the release may show when it took effect.
  if (!key.granted || reentrant_ || key.called_ns > key.released_ns) return false;
  // A client that is asking may have been granted it in this piece, and its lease may be over.
  if (lapses_ && key.doubted) return false;
  return static_cast<std::size_t>(key.asked) == key.open.size() &&
         std::all_of(key.open.begin(), key.open.end(), [&](const SearchedOperation& o) {
           return o.op == Op::acquire && (key.kept() > kSomeKept || !may_be_over(o));
         });
}

// True if it may have been granted and its lease run out unseen. An unknown lease is taken for the shortest; should it
// turn out shorter still, the operations that it may have explained are gone.
bool KeyOrders::may_be_over(const SearchedOperation& acquire) const {
  const std::int64_t lease_ns = acquire.lease_ns == kUnknownLease ? shortest_ns_ : acquire.lease_ns;
  return of_leases_ && end_of(lease_ns, acquire.invoked_ns) <= holds_.now_ns();
}

void KeyOrders::forget_if_free(Key& key) {
  const bool run_out = has_run_out(key);
  if (!run_out && !may_be_forgotten(key)) return;
  if (key.doubted) try_orders(key);
  begin_anew(key, run_out);
}

// No client is asking, and the next operation finds a lease that is over, whenever it began: only its owner matters.
bool KeyOrders::has_run_out(const Key& key) const {
  if (!of_leases_) return false;
  const bool over = key.granted && key.released_ns < 0 && key.ends_ns <= holds_.now_ns();
  return over && key.asked == 0 && key.unanswered_acquires == 0 && !key.releaser && (key.lost || key.kept() > kFewKept);
}

// The acquire by which it was granted last; null: it is not in the piece.
const SearchedOperation* KeyOrders::last_grant(const Key& key) {
  const auto last = [&](EventType said) -> const SearchedOperation* {
    const auto grant = std::find_if(key.answered.rbegin(), key.answered.rend(), [&](const SearchedOperation& o) {
      return o.process == key.holder && o.op == Op::acquire && o.said == said && o.invoked_ns != kNever;
    });
    return grant == key.answered.rend() ? nullptr : &*grant;
  };
  if (const SearchedOperation* grant = last(EventType::ok)) return grant;
  // It heard nothing of it.
  const auto asks = std::find_if(key.open.begin(), key.open.end(), [&](const SearchedOperation& o) {
    return o.process == key.holder && o.op == Op::acquire;
  });
  return asks == key.open.end() ? last(EventType::info) : &*asks;
}

// A client that asks already may be refused for the hold that is over, and cannot have been granted the lock before. A
// hold that has run out may continue until another client is granted the lock. So that hold and the open operations are
// kept.
void KeyOrders::begin_anew(Key& key, bool run_out) {
  const std::size_t before = key.answered.size();
  const SearchedOperation* const grant = run_out || !key.open.empty() ? last_grant(key) : nullptr;
  if (grant == nullptr) {
    key.answered.clear();
  } else {
    const std::uint64_t since = grant->invoke_index;
    std::erase_if(key.answered, [&](const SearchedOperation& o) {
      const bool of_hold = o.invoke_index >= since && o.process == key.holder && o.said != EventType::fail;
      return !of_hold || o.invoked_ns == kNever;
    });
  }
  kept_ -= before - key.answered.size();
  key.began_ns = holds_.now_ns();
  key.lost = key.asked != static_cast<int>(key.open.size()) || (run_out && key.kept() == 0);
  key.doubted = !key.may_come.empty();
  key.releasing = false;
  key.granted = run_out;
  key.released_ns = -1;
}

// No more operations can be kept.
void KeyOrders::give_up(Key& key) {
  key.undecided = key.undecided || key.doubted;
  kept_ -= key.kept();
  key.open = {};
  key.answered = {};
  key.lost = key.was_lost = true;
}

}  // namespace holdfast
