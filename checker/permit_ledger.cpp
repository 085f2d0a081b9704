#include "checker/permit_ledger.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace holdfast {
namespace {

constexpr std::size_t kMostLeftOut = 256;  // holds that are tried to be left out, one after the other

// The first span of positive length in which more than `capacity` is held; empty (from = to): none.
Window crowded(const PermitHolds& holds, const Window& window, std::int64_t capacity) {
  std::vector<std::pair<std::int64_t, std::int64_t>> changes;
  for (const auto& hold : holds) {
    if (!hold->overlaps(window)) continue;
    changes.push_back({std::max(hold->granted_ns, window.from_ns), hold->takes});
    if (hold->ended_ns < window.to_ns) changes.push_back({hold->ended_ns, -hold->takes});
  }
  std::sort(changes.begin(), changes.end());  // at one time what ends comes first
  std::int64_t held = 0;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    held += changes[i].second;
    const std::int64_t next_ns = i + 1 < changes.size() ? changes[i + 1].first : window.to_ns;
    if (held > capacity && next_ns > changes[i].first) return {changes[i].first, next_ns};
  }
  return {};
}

std::int64_t held_strictly_at(const PermitHolds& holds, std::int64_t time_ns) {
  std::int64_t held = 0;
  for (const auto& hold : holds) {
    if (hold->granted_ns < time_ns && hold->ended_ns > time_ns) held += hold->takes;
  }
  return held;
}

// The holds that leave no room.
PermitHolds no_room(const PermitHolds& holds, const Window& window, std::int64_t takes, std::int64_t capacity) {
  PermitHolds chosen;
  for (const auto& hold : holds) {
    if (hold->overlaps(window)) chosen.push_back(hold);
  }
  for (std::size_t i = 0; i < chosen.size() && chosen.size() <= kMostLeftOut;) {
    const auto out = chosen[i];
    chosen.erase(chosen.begin() + static_cast<std::ptrdiff_t>(i));
    if (!room(chosen, window, takes, capacity)) continue;
    chosen.insert(chosen.begin() + static_cast<std::ptrdiff_t>(i++), out);
  }
  return chosen;
}

}  // namespace

PermitHolds too_many(const PermitHolds& holds, const Window& window, std::int64_t capacity,
                     const std::shared_ptr<PermitHold>& with) {
  const Window within = with ? Window{std::max(window.from_ns, with->granted_ns),  //
                                      std::min(window.to_ns, with->ended_ns)}
                             : window;
  const Window full = within.from_ns < within.to_ns ? crowded(holds, within, capacity) : Window{};
  if (full.from_ns >= full.to_ns) return {};
  PermitHolds chosen;
  for (const auto& hold : holds) {
    if (hold != with && hold->granted_ns <= full.from_ns && hold->ended_ns >= full.to_ns) chosen.push_back(hold);
  }
  std::stable_sort(chosen.begin(), chosen.end(), [](const auto& a, const auto& b) { return a->takes > b->takes; });
  if (with) chosen.insert(chosen.begin(), with);
  std::int64_t held = 0;
  std::size_t needed = 0;
  while (needed < chosen.size() && held <= capacity) held += chosen[needed++]->takes;
  chosen.resize(needed);
  return chosen;
}

// Between two changes no fewer are held than at the change before or after, counted like this: those are enough.
bool room(const PermitHolds& holds, const Window& window, std::int64_t takes, std::int64_t capacity) {
  std::vector<std::int64_t> moments{window.from_ns, window.to_ns};
  for (const auto& hold : holds) {
    for (const std::int64_t time_ns : {hold->granted_ns, hold->ended_ns}) {
      if (time_ns > window.from_ns && time_ns < window.to_ns) moments.push_back(time_ns);
    }
  }
  return std::any_of(moments.begin(), moments.end(),
                     [&](std::int64_t time_ns) { return held_strictly_at(holds, time_ns) + takes <= capacity; });
}

void PermitLedger::move_on(std::int64_t time_ns) {
  if (time_ns <= now_ns_) return;
  judge();
  now_ns_ = time_ns;
}

void PermitLedger::judge() {
  for (const Hold& hold : fresh_) {
    if (taken_ <= capacity_ || hold->ended_ns != kNever) continue;
    const auto held = held_.all();
    const PermitHolds few = too_many({held.begin(), held.end()}, {now_ns_, kNever}, capacity_, hold);
    if (!few.empty()) found_({PermitFault::Kind::too_many, few, {}, 0, 0, {}});
  }
  fresh_.clear();
  if (clean_ups_.empty()) return;
  for (CleanUp& clean_up : clean_ups_) {
    if (!clean_up.judged) judge(clean_up);
  }
  trim();
}

void PermitLedger::add(const Hold& hold) {
  held_.push_back(hold);
  held_by_[hold->process].push_back(hold);
  taken_ += hold->takes;
}

void PermitLedger::grant(const Hold& hold) {
  add(hold);
  fresh_.push_back(hold);
}

void PermitLedger::end(const Hold& hold, std::int64_t time_ns) {
  hold->ended_ns = time_ns;
  held_.erase(hold);
  const auto own = held_by_.find(hold->process);
  own->second.erase(std::next(std::find(own->second.rbegin(), own->second.rend(), hold)).base());
  if (own->second.empty()) held_by_.erase(own);
  taken_ -= hold->takes;
  if (asked_ns_.empty() && clean_ups_.empty()) return;
  over_.push_back(hold);
  if (over_.size() <= kMostRemembered) return;
  forgotten_ns_ = over_.front()->ended_ns;
  asked_ns_.erase(asked_ns_.begin(), asked_ns_.upper_bound(forgotten_ns_));
  over_.pop_front();
  trim();
}

void PermitLedger::settle_question(std::int64_t time_ns) {
  const auto at = asked_ns_.find(time_ns);
  if (at != asked_ns_.end()) asked_ns_.erase(at);
  trim();
}

void PermitLedger::put_back(const Hold& hold, const Window& window) {
  const auto at = std::find(over_.rbegin(), over_.rend(), hold);
  if (at != over_.rend()) over_.erase(std::next(at).base());
  hold->ended_ns = kNever;
  add(hold);
  if (!went_on(hold, window)) fresh_.push_back(hold);
}

void PermitLedger::prolong(const Hold& hold, const Window& window) {
  hold->ended_ns = window.to_ns;
  went_on(hold, window);
}

// True: a violation was found.
bool PermitLedger::went_on(const Hold& hold, const Window& window) {
  if (window.from_ns <= forgotten_ns_) {
    found_({PermitFault::Kind::forgotten, {hold}, {}, hold->process, hold->client, window});
    return false;
  }
  const PermitHolds few = too_many(all(), window, capacity_, hold);
  if (!few.empty()) found_({PermitFault::Kind::too_many, few, {}, 0, 0, {}});
  for (CleanUp& clean_up : clean_ups_) {
    if (clean_up.judged && hold->overlaps(clean_up.fault.window)) judge(clean_up);
  }
  return !few.empty();
}

void PermitLedger::clean_up(const PermitFault& fault, std::int64_t takes) {
  clean_ups_.push_back({fault, takes, false, false});
}

void PermitLedger::judge(CleanUp& clean_up) {
  clean_up.judged = true;
  if (clean_up.told) return;
  PermitFault& fault = clean_up.fault;
  const PermitHolds holds = all();
  const bool fits = room(holds, fault.window, clean_up.takes, capacity_);
  const bool forgotten = fault.window.from_ns <= forgotten_ns_;
  if (fits && !forgotten) return;
  if (fits) fault.kind = PermitFault::Kind::forgotten;
  if (!fits) fault.holds = no_room(holds, fault.window, clean_up.takes, capacity_);
  // If those could not be held together anyway, that is the violation, and has been found.
  if (!too_many(fault.holds, {0, kNever}, capacity_).empty()) return;
  clean_up.told = true;
  found_(fault);
}

// One that has been judged is kept while the answer to a question asked before its end may change what was held then.
bool PermitLedger::needs(const CleanUp& clean_up) const {
  return !clean_up.judged || (!asked_ns_.empty() && *asked_ns_.begin() < clean_up.fault.window.to_ns);
}

void PermitLedger::trim() {
  clean_ups_.erase(std::remove_if(clean_ups_.begin(), clean_ups_.end(), [&](const CleanUp& c) { return !needs(c); }),
                   clean_ups_.end());
  std::int64_t first_ns = asked_ns_.empty() ? kNever : *asked_ns_.begin();
  for (const CleanUp& c : clean_ups_) first_ns = std::min(first_ns, c.fault.window.from_ns);
  while (!over_.empty() && over_.front()->ended_ns < first_ns) over_.pop_front();
}

PermitHolds PermitLedger::all() const {
  PermitHolds holds(over_.begin(), over_.end());
  const auto held = held_.all();
  holds.insert(holds.end(), held.begin(), held.end());
  return holds;
}

PermitLedger::Hold PermitLedger::last_of(std::uint32_t process) const {
  const auto own = held_by_.find(process);
  return own == held_by_.end() ? nullptr : own->second.back();
}

}  // namespace holdfast
