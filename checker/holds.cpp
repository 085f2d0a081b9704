#include "checker/holds.hpp"

#include <algorithm>
#include <iterator>

namespace holdfast {
namespace {

// Releases that surely had no effect, in foreign histories: the hold goes on as if it had not been called. In runs of
// our own the client's belief is what counts, and that ended with the call.

constexpr std::size_t kMostMeanwhile = 8;  // holds within one release that failed; one is a violation

}  // namespace

bool Holds::forget(std::uint32_t process) {
  const Process* const known = processes_.find(process);
  if (known == nullptr || known->last.open || known->last.dead || known->first.believed()) return false;
  if (known->background && known->background->open) return false;
  if (known->more && !(known->more->believed.empty() && known->more->strays.empty())) return false;
  processes_.forget(process);
  return true;
}

void Holds::finish() {
  for (Key& key : keys_) {
    while (!key.believers.empty()) {
      const Hold& hold = *key.believers.all().front();
      key.believers.erase(&hold);
      listener_.ended(hold);
    }
  }
}

// All processes of a client end with it: those of its threads, and identities that retired, which say nothing more.
void Holds::kill(const Event& event) {
  const auto struck = [&](std::uint32_t client) {
    return std::find(event.clients.begin(), event.clients.end(), client) != event.clients.end();
  };
  std::vector<std::uint32_t> dead;
  processes_.each([&](std::uint32_t id, const Process& process) {
    if (struck(process.last.client)) dead.push_back(id);
  });
  for (const std::uint32_t id : dead) processes_.find(id)->last.dead = true;
  for (Key& key : keys_) {
    for (std::size_t i = 0; i < key.believers.all().size();) {
      Hold& hold = *key.believers.all()[i];
      struck(hold.client) ? end(key, hold, HoldEnd::killed, event.index) : void(++i);
    }
  }
}

bool Holds::holds_any(std::uint32_t client) const {
  bool out = false;
  processes_.each([&](std::uint32_t, const Process& process) {
    const bool some = process.first.believed() || (process.more != nullptr && !process.more->believed.empty());
    out = out || (some && process.first.client == client);
  });
  return out;
}

Operation& Holds::background_of(Process& process) {
  if (!process.background) process.background = std::make_unique<Operation>();
  return *process.background;
}

void Holds::invoke(const Event& event, Process& process, Operation& last) {
  Hold* const hold = believed(process, event.key);
  last.open = true;
  last.op = event.op;
  last.shared = event.shared;
  last.key = event.key;
  last.client = event.client;
  last.invoked_ns = event.time_ns;
  last.index = event.index;
  last.lease_ns = event.lease_ns;
  last.hold = hold;
  last.valid_to_ns = 0;
  last.renew_invoke_index = last.renew_index = 0;
  if (hold) of_holder(event, *hold, last);
}

void Holds::of_holder(const Event& event, Hold& hold, Operation& last) {
  // One for less takes the rest back as soon as it takes effect, whatever is heard of it.
  if (event.op == Op::renew && header_.foreign && event.lease_ns) shorten(hold, event);
  last.valid_to_ns = std::max(hold.valid.to_ns, hold.uncut_to_ns);
  last.renew_invoke_index = hold.renew_invoke_index;
  last.renew_index = hold.renew_index;
  if (event.op == Op::renew && renews_for_less_ && !event.lease_ns) cut(hold, event.time_ns);
  if (hold.another_ns >= 0 && hold.called_ns < 0) hold.called_ns = event.time_ns;
  if (event.op != Op::release) return;
  if (hold.depth > 1) {
    --hold.depth;
  } else {
    Key& key = keys_[event.key];
    end(key, hold, HoldEnd::release, event.index);
    if (header_.foreign) key.releasing.emplace_back().process = event.process;
  }
}

void Holds::complete(const Event& event, Process& process, Operation& operation) {
  Hold* hold = believed(process, event.key);
  if (event.type == EventType::info && event.op == Op::renew && renews_for_less_ && operation.lease_ns) {
    note_stray(process, event.key, *operation.lease_ns);
    if (hold) hold->stray_ns = stray_of(process, event.key);
  }
  if (hold && event.op == Op::release) inner_release(*hold, event);
  if (!hold && event.op == Op::release && header_.foreign) released(event, operation, process);
  if (hold && event.op == Op::write && event.type == EventType::fail) ++hold->refused_writes;
  // A watchdog's renewal of the grant before says nothing of this one.
  if (!hold || event.op != Op::renew || operation.hold != hold) return;
  if (hold->uncut_to_ns != 0) take_cut_back(*hold);
  if (event.type == EventType::ok) renew(*hold, event, operation);
  if (event.type != EventType::fail || event.background) return;
  if (event.reason == Reason::not_held) end(*hold, HoldEnd::not_held, event.index);
  if (event.reason == Reason::deadline) end(*hold, HoldEnd::deadline, event.index);
}

// Handles a reentrant holder that still believes: a release that surely had no effect gave no depth back.
void Holds::inner_release(Hold& hold, const Event& event) {
  if (event.type != EventType::fail) return;
  if (event.reason == Reason::not_held) {
    end(hold, HoldEnd::not_held, event.index);
  } else {
    ++hold.depth;
  }
}

std::int64_t Holds::lease_of(const Event& event, const Operation& operation) const {
  if (event.lease_ns) return *event.lease_ns;
  return operation.lease_ns.value_or(header_.lease_ns);
}

void Holds::grant(const Event& event, const Operation& operation, Process& process) {
  if (Hold* own = believed(process, event.key)) {
    // Granted again to its own holder: one hold, with a promise renewed.
    if (header_.model == "reentrant") ++own->depth;
    own->granted_again_ns = event.time_ns;
    return renew(*own, event, operation);
  }
  Hold& hold = unused(process, event.key);
  // A renewal of the grant before may still be on its way: it was not made under this one.
  if (process.background && process.background->hold == &hold) process.background->hold = nullptr;
  hold.process = event.process;
  hold.client = event.client;
  hold.key = event.key;
  hold.number = event.number;
  hold.shared = operation.shared;
  hold.sent_ns = operation.invoked_ns;
  hold.unasked = header_.scheduled;
  hold.granted_ns = event.time_ns;
  hold.granted_again_ns = -1;
  hold.turn_by_ns = header_.waits ? acted_within(event, hold.sent_ns).to_ns : hold.sent_ns;
  const std::int64_t let_go_ns = keys_[event.key].let_go_ns;
  hold.turn_from_ns = header_.waits ? std::max(hold.sent_ns, let_go_ns) : hold.sent_ns;
  // It may have renewed before it answered; and a job's lease may have begun only when its start was reported.
  if (header_.renews_unseen || header_.scheduled) hold.turn_by_ns = hold.granted_ns;
  hold.found_nothing = found_nothing(event);
  hold.ended_ns = kNever;
  hold.resumed_ns = -1;
  hold.end = HoldEnd::none;
  hold.invoke_index = operation.index;
  hold.grant_index = hold.end_index = event.index;
  hold.renew_invoke_index = hold.renew_index = 0;
  hold.renewed_ns = -1;
  hold.token = event.token;
  hold.lease_ns = lease_of(event, operation);
  hold.stray_ns = stray_of(process, event.key);
  hold.valid = {hold.sent_ns, promised_to(hold.sent_ns, at_least(hold.lease_ns, hold.stray_ns))};
  hold.first_valid_to_ns = hold.valid.to_ns;
  hold.uncut_to_ns = 0;
  hold.lapsed.clear();
  hold.depth = 1;
  hold.another_ns = hold.called_ns = -1;
  hold.refused_writes = 0;
  if (!header_.foreign) note_another(keys_[event.key], hold);
  keys_[event.key].believers.push_back(&hold);
  listener_.granted(hold);
}

// Notes a grant at each holder that it contradicts.
void Holds::note_another(Key& key, const Hold& granted) {
  for (Hold* const former : key.believers.all()) {
    if (former->another_ns < 0 && !both_shared(*former, granted)) former->another_ns = granted.granted_ns;
  }
}

void Holds::end(Key& key, Hold& hold, HoldEnd how, std::uint64_t index) {
  hold.ended_ns = now_ns_;
  hold.end = how;
  hold.end_index = index;
  if (hold.valid_at(now_ns_)) key.let_go_ns = now_ns_;
  key.believers.erase(&hold);
  over(hold);
  listener_.ended(hold);
  if (!key.releasing.empty()) remember(key, hold);
}

Holds::More& Holds::more_of(Process& process) {
  if (!process.more) process.more = std::make_unique<More>();
  return *process.more;
}

Hold* Holds::believed(const More& more, std::uint32_t key) {
  const auto found = more.believed.find(key);
  return found != more.believed.end() ? found->second : nullptr;
}

Hold& Holds::unused(Process& process, std::uint32_t key) {
  if (!process.first.believed()) return process.first;
  More& more = more_of(process);
  if (more.ended.empty()) more.ended.push_back(more.room.emplace_back(std::make_unique<Hold>()).get());
  Hold& hold = *more.ended.back();
  more.ended.pop_back();
  more.believed[key] = &hold;
  return hold;
}

// Its process believes in it no more.
void Holds::over(const Hold& hold) {
  Process& process = *processes_.find(hold.process);
  if (&hold == &process.first) return;
  const auto found = process.more->believed.find(hold.key);
  process.more->ended.push_back(found->second);
  process.more->believed.erase(found);
}

// Its process believes in it after all.
void Holds::believes_again(Process& process, Hold& hold) {
  if (&hold == &process.first) return;
  auto& ended = process.more->ended;
  ended.erase(std::next(std::find(ended.rbegin(), ended.rend(), &hold)).base());
  process.more->believed[hold.key] = &hold;
}

void Holds::shorten(Hold& hold, const Event& event) {
  const bool less = *event.lease_ns > 0 && (hold.lease_ns == 0 || *event.lease_ns < hold.lease_ns);
  if (less) shorten(hold, promised_to(event.time_ns, *event.lease_ns));
}

// A renewal for less than was promised before takes the rest back.
void Holds::shorten(Hold& hold, std::int64_t to_ns) {
  hold.valid.to_ns = std::min(hold.valid.to_ns, std::max(to_ns, hold.valid.from_ns));
}

// One that does not say for how long may be for less. Until its answer says so nothing is sure from its call on; what
// only that promise would show is doubted (lease_service), and so all orders are tried.
void Holds::cut(Hold& hold, std::int64_t now_ns) {
  hold.uncut_to_ns = std::max(hold.uncut_to_ns, hold.valid.to_ns);
  shorten(hold, now_ns);
}

// One for ever takes nothing back.
void Holds::note_stray(Process& process, std::uint32_t key, std::int64_t lease_ns) {
  if (lease_ns == 0) return;
  const auto [stray, first] = more_of(process).strays.emplace(key, lease_ns);
  if (!first) stray->second = std::min(stray->second, lease_ns);
}

std::int64_t Holds::stray_of(const Process& process, std::uint32_t key) {
  std::int64_t least_ns = kNever;
  if (process.more && !process.more->strays.empty()) {
    const auto stray = process.more->strays.find(key);
    if (stray != process.more->strays.end()) least_ns = stray->second;
  }
  const Operation* const open = process.background.get();  // a watchdog's, from a hold before
  const bool renews = open != nullptr && open->open && open->op == Op::renew && open->key == key;
  return renews && open->lease_ns.value_or(0) > 0 ? std::min(least_ns, *open->lease_ns) : least_ns;
}

void Holds::take_cut_back(Hold& hold) {
  hold.valid.to_ns = std::max(hold.valid.to_ns, hold.uncut_to_ns);
  hold.uncut_to_ns = 0;
}

// A renewal promises from its answer on. If the promise before it still stood, the two join; if it had lapsed, the old
// one is kept only while another client believes, since an overlap with a later grant begins no earlier than now. A
// grant to its own holder shows that it had lapsed, if only for a moment.
void Holds::renew(Hold& hold, const Event& event, const Operation& operation) {
  if (event.op == Op::renew) hold.renewed_ns = event.time_ns;
  const std::int64_t lease_ns = event.lease_ns.value_or(operation.lease_ns.value_or(hold.lease_ns));
  const std::int64_t to_ns = promised_to(operation.invoked_ns, at_least(lease_ns, hold.stray_ns));
  if (lease_ns > 0 && (hold.lease_ns == 0 || lease_ns < hold.lease_ns)) shorten(hold, to_ns);
  hold.lease_ns = lease_ns;
  if (to_ns <= hold.valid.to_ns || to_ns <= event.time_ns) return;
  hold.renew_invoke_index = operation.index;
  hold.renew_index = event.index;
  const bool lapsed =
      event.time_ns > hold.valid.to_ns || (event.op == Op::acquire && event.time_ns == hold.valid.to_ns);
  if (!lapsed) {
    hold.valid.to_ns = to_ns;
    return;
  }
  if (believers(hold.key).size() > 1) {
    hold.lapsed.push_back(hold.valid);
  } else {
    hold.lapsed.clear();
  }
  hold.valid = {event.time_ns, to_ns};
}

void Holds::remember(Key& key, const Hold& ended) {
  for (Releasing& releasing : key.releasing) {
    const Operation& release = processes_.find(releasing.process)->last;  // it is open
    const bool within = ended.process != releasing.process && ended.granted_ns >= release.invoked_ns;
    if (within && releasing.meanwhile.size() < kMostMeanwhile) releasing.meanwhile.push_back(ended);
  }
}

void Holds::released(const Event& event, const Operation& operation, Process& process) {
  auto& all = keys_[event.key].releasing;
  std::size_t open = 0;
  while (open < all.size() && all[open].process != event.process) ++open;
  if (open == all.size()) return;
  const bool over = event.reason == Reason::not_held || event.reason == Reason::deadline;
  const bool in_vain = event.type == EventType::fail && !over && !operation.dead;
  const auto own = all.begin() + static_cast<std::ptrdiff_t>(open);
  if (in_vain) released_in_vain(event, operation, process, own->meanwhile);
  all.erase(own);
}

void Holds::released_in_vain(const Event& event, const Operation& operation, Process& process,
                             const std::vector<Hold>& meanwhile) {
  const auto ended_by_it = [&](const Hold& hold) {
    return hold.key == event.key && hold.end == HoldEnd::release && hold.end_index == operation.index;
  };
  if (ended_by_it(process.first)) return resume(process, process.first, operation, meanwhile);
  if (!process.more) return;
  // Nearly always the one that ended last.
  const auto& ended = process.more->ended;
  const auto found = std::find_if(ended.rbegin(), ended.rend(), [&](const Hold* hold) { return ended_by_it(*hold); });
  if (found != ended.rend()) resume(process, **found, operation, meanwhile);
}

void Holds::resume(Process& process, Hold& hold, const Operation& release, const std::vector<Hold>& meanwhile) {
  hold.end = HoldEnd::none;
  hold.ended_ns = kNever;
  hold.end_index = hold.grant_index;
  hold.resumed_ns = release.invoked_ns;
  believes_again(process, hold);
  keys_[hold.key].believers.push_back(&hold);
  listener_.resumed(hold, meanwhile);
}

}  // namespace holdfast
