#include "checker/struck_acquires.hpp"

#include <algorithm>

namespace holdfast {

void StruckAcquires::event(const Event& event) {
  now_ns_ = event.time_ns;
  if (event.actor == Actor::nemesis) {
    if (event.step == FaultStep::begin) count_holders(event);
    if (event.step == FaultStep::begin && event.aim != FaultAim::none) begin(event);
    if (event.step == FaultStep::kill) killed(event);
    return;
  }
  if (event.actor != Actor::client || strikes_.empty() || event.background) return;
  if (event.type == EventType::invoke) return called(event);
  if (event.op == Op::acquire) answered(event);
}

void StruckAcquires::count_holders(const Event& begun) {
  const auto held = std::count_if(begun.clients.begin(), begun.clients.end(),
                                  [this](std::uint32_t client) { return holds_.holds_any(client); });
  if (held > 0) held_[faults_.all().size() - 1] += held;
}

void StruckAcquires::begin(const Event& event) {
  for (const std::uint32_t client : event.clients) {
    Strike strike;
    strike.fault = faults_.all().size() - 1;
    strike.aim = event.aim;
    strike.client = client;
    strike.begin_ns = event.time_ns;
    bool busy = false;
    holds_.each_open([&](std::uint32_t process, const Operation& open) {
      if (open.client != client || open.dead) return;
      busy = true;
      if (open.op != Op::acquire) return;
      strikes_.push_back(strike);
      attach(strikes_.back(), process, open.key);
    });
    if (!busy) strikes_.push_back(strike);
  }
}

void StruckAcquires::attach(Strike& strike, std::uint32_t process, std::uint32_t key) {
  strike.attached = true;
  strike.process = process;
  strike.key = key;
  for (const Hold* hold : holds_.believers(key)) {
    if (hold->client == strike.client) continue;
    strike.holder = hold->grant_index;
    strike.another_had_it = strike.another_had_it || hold->valid.to_ns > now_ns_;
  }
}

void StruckAcquires::called(const Event& event) {
  for (Strike& strike : strikes_) {
    if (strike.attached || strike.over || strike.client != event.client) continue;
    strike.over = event.op != Op::acquire;
    if (!strike.over) attach(strike, event.process, event.key);
  }
}

void StruckAcquires::answered(const Event& event) {
  if (event.type == EventType::ok) granted_to_another(event);
  for (Strike& strike : strikes_) {
    if (!strike.attached || strike.over || strike.process != event.process) continue;
    strike.over = true;
    const bool in_vain = strike.aim == FaultAim::request || strike.another_had_it;
    if (event.type == EventType::ok) strike.outcome = &StruckCounts::granted;
    if (event.type == EventType::fail) strike.outcome = in_vain ? &StruckCounts::refused : &StruckCounts::given_up;
    if (event.type == EventType::info && kept_out(strike)) strike.outcome = &StruckCounts::kept_out;
  }
}

// Before a lease of the struck attempt could have run out. The winner's answer may come after the loser's.
void StruckAcquires::granted_to_another(const Event& event) {
  for (Strike& strike : strikes_) {
    if (!strike.attached || strike.settled || strike.key != event.key) continue;
    if (strike.client == event.client) {
      strike.settled = strike.over;  // it may have been granted what it held: others come after its release
      continue;
    }
    if (header_.lease_ns > 0 && event.time_ns >= strike.begin_ns + header_.lease_ns) continue;
    strike.another_had_it = true;
    if (strike.outcome == &StruckCounts::given_up) strike.outcome = &StruckCounts::refused;
  }
}

void StruckAcquires::killed(const Event& event) {
  for (Strike& strike : strikes_) {
    const bool dies = std::find(event.clients.begin(), event.clients.end(), strike.client) != event.clients.end();
    if (!dies || strike.over) continue;
    strike.over = true;
    if (strike.attached && kept_out(strike)) strike.outcome = &StruckCounts::kept_out;
  }
}

bool StruckAcquires::kept_out(const Strike& strike) const {
  const auto& holds = holds_.believers(strike.key);
  return strike.holder != 0 && std::any_of(holds.begin(), holds.end(), [&](const Hold* hold) {
           return hold->grant_index == strike.holder && hold->valid.to_ns > now_ns_;
         });
}

StruckCounts StruckAcquires::of_fault(std::size_t number) const {
  StruckCounts out;
  for (const Strike& strike : strikes_) {
    if (strike.attached && strike.fault == number) ++(out.*strike.outcome);
  }
  return out;
}

std::int64_t StruckAcquires::holders(std::size_t number) const {
  const auto held = held_.find(number);
  const auto granted = std::count_if(strikes_.begin(), strikes_.end(), [number](const Strike& strike) {
    const bool may_be_grant = strike.outcome == &StruckCounts::granted || strike.outcome == &StruckCounts::unanswered ||
                              strike.outcome == &StruckCounts::given_up;
    return strike.attached && strike.fault == number && strike.aim == FaultAim::reply && may_be_grant;
  });
  return (held == held_.end() ? 0 : held->second) + granted;
}

std::map<std::string, StruckCounts> StruckAcquires::by_name() const {
  std::map<std::string, StruckCounts> out;
  for (const Strike& strike : strikes_) {
    if (strike.attached) ++(out[faults_.all().at(strike.fault).name].*strike.outcome);
  }
  return out;
}

}  // namespace holdfast
