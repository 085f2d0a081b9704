#include "runner/lab_trial_capabilities.hpp"

#include <algorithm>
#include <cstring>

#include "artifact/error.hpp"
#include "artifact/poll_until.hpp"
#include "artifact/units.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kTriggerLook_ms = 20;
constexpr int kLeaderLook_ms = 50;
constexpr int kElection_ms = 5'000;            // servers that have just lost one agree on another
constexpr std::int64_t kAnswered_ms = 30'000;  // a request whose reply is to be the moment, once all is healed

void describe(const Moment& at, const std::string& whom, Trigger& trigger) {
  trigger.of = asking_from_text(at.of);
  trigger.key = at.key == "free" ? KeyIs::free : at.key == "held" ? KeyIs::held : KeyIs::any;
  trigger.whom = whom == "holder" ? Whom::holder : whom == "waiter" ? Whom::waiter : Whom::anyone;
  trigger.on_statement = !at.statement.empty() || at.request > 0;
  trigger.request = at.request;
  trigger.after = at.after;
  trigger.nth = at.nth;
  trigger.client = at.client ? static_cast<std::int32_t>(*at.client) : -1;
  if (trigger.on_statement) {
    if (at.statement.size() >= trigger.statement.size()) throw BadInput("statement name too long: " + at.statement);
    std::memcpy(trigger.statement.data(), at.statement.c_str(), at.statement.size() + 1);
    return;
  }
  const auto phase = phase_from_text(at.phase);
  if (!phase) throw BadInput(unknown_word("phase", at.phase, phase_names()));
  trigger.phase = *phase;
}

}  // namespace

std::optional<std::uint32_t> LabCandidates::leader() const {
  const auto look = [this] { return lab_.cluster().leader(); };
  return poll_until(look, kLeaderLook_ms, after_ms(kElection_ms));
}

PointAction in_process(PointAction action) {
  switch (action) {
    case PointAction::go_on:
    case PointAction::lose_reply:
      return action;
    case PointAction::hold_request:
    case PointAction::duplicate:
    case PointAction::lose_request:
      break;
  }
  throw HarnessError("only the relay can hold, repeat or lose a request, and this trial has no relay");
}

void LabMoments::arm(const Moment& at, const std::string& whom, std::size_t trigger_number) {
  if (at.request > 0 && requests_.there()) {
    at_requests_.insert(trigger_number);
    requests_.arm(at, trigger_number);
    return;
  }
  Trigger& trigger = page_.triggers.at(trigger_number);
  describe(at, whom, trigger);
  holdfast::arm(page_, trigger);
}

std::optional<std::uint32_t> LabMoments::wait_request(std::size_t trigger_number) {
  std::optional<std::int64_t> closing_ns;
  while (true) {
    if (const auto client = requests_.reached(trigger_number, static_cast<int>(time_.look_every_ms(kTriggerLook_ms))))
      return client;
    if (requests_.lost(trigger_number)) return std::nullopt;
    if (!time_.closing()) continue;
    if (requests_.disarm(trigger_number)) return std::nullopt;
    if (!closing_ns) closing_ns = time_.now_ns();
    if (time_.now_ns() - *closing_ns > kAnswered_ms * kMillisecond_ns) return std::nullopt;
  }
}

Absence LabMoments::absence(std::size_t trigger_number) {
  return at_requests_.contains(trigger_number) ? requests_.absence(trigger_number) : Absence{};
}

std::optional<std::uint32_t> LabMoments::wait_arrival(std::size_t trigger_number) {
  if (at_requests_.contains(trigger_number)) return wait_request(trigger_number);
  Trigger& trigger = page_.triggers.at(trigger_number);
  while (!wait_reached(trigger, static_cast<int>(time_.look_every_ms(kTriggerLook_ms)))) {
    if (time_.closing() && disarm(trigger)) return std::nullopt;
  }
  return trigger.reached_by.load();
}

bool LabMoments::arrived(std::size_t trigger_number, std::int64_t within_ms) {
  const auto look_ms = static_cast<int>(std::min(within_ms, time_.look_every_ms(kTriggerLook_ms)));
  if (at_requests_.contains(trigger_number)) return requests_.reached(trigger_number, look_ms).has_value();
  return wait_reached(page_.triggers.at(trigger_number), look_ms);
}

void LabMoments::release(std::size_t trigger_number, PointAction how) {
  if (at_requests_.contains(trigger_number)) return requests_.release(trigger_number, how);
  answer(page_.triggers.at(trigger_number), in_process(how));
}

}  // namespace holdfast
