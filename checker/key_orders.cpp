#include "checker/key_orders.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "checker/model.hpp"
#include "checker/order_witness.hpp"

namespace holdfast {

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

void KeyOrders::event(const Event& event) {
  if (!active_) return;
  if (event.actor != Actor::client) {
    if (event.actor == Actor::nemesis && event.step == FaultStep::kill) killed(event);
    return;
  }
  if (event.op == Op::write) return;
  if (event.lease_ns.value_or(0) > 0) leased_ = lapses_ = true;
  const bool gives_up = event.op == Op::leave || event.reason == Reason::deadline;
  if (gives_up) left(event);
  if (event.op == Op::leave) return;
  event.type == EventType::invoke ? invoked(event) : answered(event);
}

// Where leases are not judged, a hold is over with its holder's belief, as far as anybody else is concerned; the lock
// may not know that yet.
void KeyOrders::left(const Event& event) {
  if (of_leases_) return;
  lapses_ = true;
  leave(at(event.key), event.process, event.time_ns);
}

void KeyOrders::leave(Key& key, std::uint32_t process, std::int64_t time_ns) {
  for (SearchedOperation& o : key.operations) {
    if (o.process == process && o.op == Op::acquire) o.left_ns = std::min(o.left_ns, time_ns);
  }
}

// The session of who is killed ends, and with it what it holds.
void KeyOrders::killed(const Event& event) {
  if (of_leases_) return;
  lapses_ = true;
  for (Key& key : keys_) {
    for (SearchedOperation& o : key.operations) {
      const bool struck = std::find(event.clients.begin(), event.clients.end(), o.client) != event.clients.end();
      if (struck && o.op == Op::acquire) o.left_ns = std::min(o.left_ns, event.time_ns);
    }
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
  if (key.lost) return;
  if (key.operations.size() == kMostKept || kept_ == kMostKeptInAll) return give_up(key);
  ++kept_;
  key.open.push_back(static_cast<std::uint32_t>(key.operations.size()));
  key.operations.push_back({event.process, event.client, event.op, EventType::info, event.time_ns, kNever,
                            lease_of(event), event.index, event.index});
}

namespace {

// A renewal or release that answered ok and changed nothing says nothing.
bool did_something(const Event& event) {
  return event.op == Op::acquire ? event.type == EventType::ok : took_effect(event);
}

}  // namespace

// What was asked before the piece began is not in it.
SearchedOperation* KeyOrders::open_operation(Key& key, const Event& event) {
  const auto own = std::find_if(key.open.begin(), key.open.end(), [&](std::uint32_t place) {
    const SearchedOperation& o = key.operations[place];
    return o.process == event.process && o.invoke_index == holds_.operation().index;
  });
  if (own == key.open.end()) return nullptr;
  SearchedOperation* const operation = &key.operations[*own];
  *own = key.open.back();
  key.open.pop_back();
  return operation;
}

void KeyOrders::answered(const Event& event) {
  Key& key = at(event.key);
  --key.asked;
  if (SearchedOperation* const o = open_operation(key, event)) {
    const Reason telling = event.op == Op::acquire ? Reason::busy : Reason::not_held;
    const bool told = did_something(event) || (event.type == EventType::fail && event.reason == telling);
    o->index = event.index;
    if (told) {
      o->said = event.type;
      o->answered_ns = event.time_ns;
      if (event.type == EventType::ok) o->lease_ns = lease_of(event);
    } else if (event.type != EventType::info || (event.op == Op::renew && o->lease_ns == kUnknownLease)) {
      o->invoked_ns = kNever;  // it surely had no effect, or none that matters, and says nothing
    } else if (event.op == Op::release) {
      remember(*o, event.key);
    }
  }
  note(key, event);
  forget_if_free(key);
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

// What there is in the answer that the rules do not decide, and what is known of the lock after it.
void KeyOrders::note(Key& key, const Event& event) {
  const Operation& operation = holds_.operation();
  const bool ok = did_something(event);
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
  const bool under_none = !operation.hold || operation.hold->valid.to_ns <= event.time_ns;
  if (of_leases_ && (not_held || (ok && under_none))) key.doubted = true;
  if (event.op == Op::renew && ok) {
    const std::int64_t lease_ns = lease_of(event);
    key.ends_ns = lease_ns == kUnknownLease ? kNever : promised_to(event.time_ns, lease_ns);
  }
  if (event.op == Op::release) given_back(key, event);
}

void KeyOrders::granted(Key& key, const Event& event) {
  const Operation& operation = holds_.operation();
  const std::int64_t lease_ns = lease_of(event);
  const std::int64_t own_end_ns = lease_ns == kUnknownLease ? kNever : promised_to(operation.invoked_ns, lease_ns);
  const bool may_have_lapsed = key.granted && key.released_ns < 0;
  const bool early = may_have_lapsed && operation.invoked_ns < key.ends_ns;
  if (of_leases_ && early) {
    if (key.releasing && !key.releaser)
      key.releaser = key.holder;
    else
      key.doubted = true;
  }
  if (of_leases_ && own_end_ns <= event.time_ns) key.doubted = true;
  key.granted = true;
  key.holder = event.process;
  key.granted_ns = event.time_ns;
  key.ends_ns = lease_ns == kUnknownLease ? kNever : promised_to(event.time_ns, lease_ns);
  key.released_ns = -1;
  key.releasing = false;
}

void KeyOrders::given_back(Key& key, const Event& event) {
  const Operation& operation = holds_.operation();
  const bool ok = did_something(event);
  if (key.releaser == event.process) {  // another has been granted it meanwhile
    key.releaser.reset();
    if (!ok) key.doubted = true;
  }
  if (event.process == key.holder) key.releasing = false;
  if (!ok) return;
  const bool clean_up = !operation.hold;
  if (clean_up && uncertain(key, event.process)) --key.unanswered_acquires;
  // Nobody knows how often a reentrant holder holds it after a release without an answer.
  const bool unknown_depth = reentrant_ && uncertain_.count(event.process) > 0;
  const bool whole = event.process == key.holder && !unknown_depth && !(operation.hold && operation.hold->believed());
  if (!whole && !(clean_up && key.granted_ns < operation.invoked_ns)) return;
  key.released_ns = operation.invoked_ns;
  key.holder = event.process;  // a clean-up shows that it was
}

// It asked for it in this piece, and had no answer.
bool KeyOrders::uncertain(const Key& key, std::uint32_t process) {
  return std::any_of(key.operations.begin(), key.operations.end(), [&](const SearchedOperation& o) {
    return o.process == process && o.op == Op::acquire && o.said == EventType::info;
  });
}

// Of those that believe only the one who was granted it last may still hold it.
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
  // What was called after the release may tell when it took effect.
  if (!key.granted || reentrant_ || key.called_ns > key.released_ns) return false;
  // Whoever is asking may have been granted it in this piece, and its lease be over.
  if (lapses_ && key.doubted) return false;
  return static_cast<std::size_t>(key.asked) == key.open.size() &&
         std::all_of(key.open.begin(), key.open.end(),
                     [&](std::uint32_t place) { return key.operations[place].op == Op::acquire; });
}

void KeyOrders::forget_if_free(Key& key) {
  const bool run_out = has_run_out(key);
  if (!run_out && !may_be_forgotten(key)) return;
  if (key.doubted) try_orders(key);
  begin_anew(key, run_out);
}

// Nobody is asking, and whatever comes finds a lease that is over, whenever it began: only who had it matters.
bool KeyOrders::has_run_out(const Key& key) const {
  if (!of_leases_) return false;
  const bool over = key.granted && key.released_ns < 0 && key.ends_ns <= holds_.now_ns();
  return over && key.asked == 0 && key.unanswered_acquires == 0 && !key.releaser &&
         (key.lost || key.operations.size() > kFewKept);
}

// The place of the acquire by which it was granted last; as many as there are: of none.
std::size_t KeyOrders::last_grant(const Key& key) {
  const auto last = [&](EventType said) {
    return std::find_if(key.operations.rbegin(), key.operations.rend(), [&](const SearchedOperation& o) {
      return o.process == key.holder && o.op == Op::acquire && o.said == said;
    });
  };
  auto grant = last(EventType::ok);
  if (grant == key.operations.rend()) grant = last(EventType::info);  // it heard nothing of it
  if (grant == key.operations.rend()) return key.operations.size();
  return static_cast<std::size_t>(grant.base() - 1 - key.operations.begin());
}

// Whoever asks already may be refused for the hold that is over, and cannot have been granted it before. One that has
// run out may go on for as long as nobody else is granted the lock. So that hold is kept, and what is open.
void KeyOrders::begin_anew(Key& key, bool run_out) {
  const std::size_t before = key.operations.size();
  const std::size_t grant = run_out || !key.open.empty() ? last_grant(key) : before;
  std::size_t kept = 0;
  for (std::uint32_t i = 0; i < before; ++i) {
    const SearchedOperation& o = key.operations[i];
    const auto open = std::find(key.open.begin(), key.open.end(), i);
    const bool of_hold = i >= grant && o.process == key.holder && o.said != EventType::fail && o.invoked_ns != kNever;
    if (open == key.open.end() && !of_hold) continue;
    if (open != key.open.end()) *open = static_cast<std::uint32_t>(kept);
    if (kept != i) key.operations[kept] = o;
    ++kept;
  }
  key.operations.resize(kept);
  kept_ -= before - kept;
  key.lost = key.asked != static_cast<int>(key.open.size()) || (run_out && kept == 0);
  key.doubted = !key.may_come.empty();
  key.releasing = false;
  key.granted = run_out;
  key.released_ns = -1;
}

// There is no room for more.
void KeyOrders::give_up(Key& key) {
  key.undecided = key.undecided || key.doubted;
  kept_ -= key.operations.size();
  key.operations = {};
  key.open.clear();
  key.lost = key.was_lost = true;
}

void KeyOrders::try_orders(Key& key) {
  if (!key.impossible.empty()) return;
  if (key.lost) {
    key.undecided = true;
    return;
  }
  Searched operations;
  for (const SearchedOperation& o : key.operations) {
    if (o.invoked_ns == kNever) continue;
    operations.push_back(o);
    if (!leased_ && o.lease_ns == kUnknownLease) operations.back().lease_ns = 0;
  }
  for (const SearchedOperation& o : key.may_come) {
    const auto same = [&](const SearchedOperation& other) { return other.invoke_index == o.invoke_index; };
    if (std::none_of(operations.begin(), operations.end(), same)) operations.push_back(o);
  }
  const OrderFound found = find_order(operations, rules(), kMostTried);
  if (found == OrderFound::unknown) key.undecided = true;
  if (found == OrderFound::impossible) key.impossible = std::move(operations);
}

bool KeyOrders::violated(const std::vector<PropertyVerdict>& verdicts) const {
  return std::any_of(verdicts.begin(), verdicts.end(), [this](const PropertyVerdict& v) {
    return v.judgement == Judgement::violated && decides(v.property, header_.model);
  });
}

bool KeyOrders::try_doubted(const std::vector<PropertyVerdict>& verdicts) {
  if (!active_ || violated(verdicts)) return false;
  for (Key& key : keys_) {
    if (key.doubted || key.releaser) try_orders(key);
  }
  return std::none_of(keys_.begin(), keys_.end(), [](const Key& key) { return key.undecided; });
}

void KeyOrders::settle(const Names& names, std::vector<PropertyVerdict>& verdicts) const {
  if (!active_ || violated(verdicts)) return;
  for (const Key& key : keys_) {
    if (!key.impossible.empty()) return violated_by(names, keys_.id_of(key), verdicts);
  }
  for (const Key& key : keys_) {
    if (!key.undecided) continue;
    for (PropertyVerdict& v : verdicts) {
      if (v.judgement != Judgement::holds || !decides(v.property, header_.model)) continue;
      v.judgement = Judgement::undecided;
      v.reason = "for " + story_.key(keys_.id_of(key)) +
                 ": whether an order of its operations explains every answer is more than can be tried";
    }
    return;
  }
}

void KeyOrders::violated_by(const Names& names, std::uint32_t key, std::vector<PropertyVerdict>& verdicts) const {
  const Searched piece = smallest_piece(keys_.find(key)->impossible, rules());
  const PieceShows shows = what_it_shows(piece);
  for (PropertyVerdict& v : verdicts) {
    const PropertyType& type = *find_entry(properties(), v.property);
    const bool judges = judged_under(type, header_.model) && decides(type, header_.model);
    const char* kind = judges && type.of_piece ? type.of_piece(shows) : nullptr;
    if (kind == nullptr) continue;
    v.judgement = Judgement::violated;
    v.reason.clear();
    v.kind = kind;
    v.kinds[kind] = 1;
    v.count = 1;
    v.witnesses.push_back(order_witness(story_, names.keys.at(key), key, piece));
    v.witnesses.back().kind = kind;
    return;
  }
}

}  // namespace holdfast
