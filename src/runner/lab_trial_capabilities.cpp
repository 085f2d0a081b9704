#include "runner/lab_trial_capabilities.hpp"

#include <algorithm>
#include <cstring>

#include "artifact/error.hpp"
#include "artifact/poll_until.hpp"
#include "artifact/units.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kPointLook_ms = 20;
constexpr int kLeaderLook_ms = 50;
constexpr int kElection_ms = 5'000;  // for the remaining servers to agree on a new leader
// limit for a request whose reply is the injection point, after all faults are healed
constexpr std::int64_t kAnswered_ms = 30'000;

void describe(const InjectionPoint& at, const std::string& whom, ArmedPoint& point) {
  point.of = asking_from_text(at.of);
  point.key = at.key == "free" ? KeyIs::free : at.key == "held" ? KeyIs::held : KeyIs::any;
  point.whom = whom == "holder" ? ClientRole::holder : whom == "waiter" ? ClientRole::waiter : ClientRole::anyone;
  point.on_statement = !at.statement.empty() || at.request > 0;
  point.request = at.request;
  point.after = at.after;
  point.nth = at.nth;
  point.client = at.client ? static_cast<std::int32_t>(*at.client) : -1;
  if (point.on_statement) {
    if (at.statement.size() >= point.statement.size()) throw BadInput("statement name too long: " + at.statement);
    std::memcpy(point.statement.data(), at.statement.c_str(), at.statement.size() + 1);
    return;
  }
  const auto phase = phase_from_text(at.phase);
  if (!phase) throw BadInput(unknown_word("phase", at.phase, phase_names()));
  point.phase = *phase;
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

void LabInjectionPoints::arm(const InjectionPoint& at, const std::string& whom, std::size_t point_number) {
  if (at.request > 0 && requests_.there()) {
    at_requests_.insert(point_number);
    requests_.arm(at, point_number);
    return;
  }
  ArmedPoint& point = page_.armed_points.at(point_number);
  describe(at, whom, point);
  holdfast::arm(page_, point);
}

std::optional<std::uint32_t> LabInjectionPoints::wait_request(std::size_t point_number) {
  std::optional<std::int64_t> closing_ns;
  while (true) {
    if (const auto client = requests_.reached(point_number, static_cast<int>(time_.look_every_ms(kPointLook_ms))))
      return client;
    if (requests_.lost(point_number)) return std::nullopt;
    if (!time_.closing()) continue;
    if (requests_.disarm(point_number)) return std::nullopt;
    if (!closing_ns) closing_ns = time_.now_ns();
    if (time_.now_ns() - *closing_ns > kAnswered_ms * kMillisecond_ns) return std::nullopt;
  }
}

Absence LabInjectionPoints::absence(std::size_t point_number) {
  return at_requests_.contains(point_number) ? requests_.absence(point_number) : Absence{};
}

std::optional<std::uint32_t> LabInjectionPoints::wait_arrival(std::size_t point_number) {
  if (at_requests_.contains(point_number)) return wait_request(point_number);
  ArmedPoint& point = page_.armed_points.at(point_number);
  while (!wait_reached(point, static_cast<int>(time_.look_every_ms(kPointLook_ms)))) {
    if (time_.closing() && disarm(point)) return std::nullopt;
  }
  return point.reached_by.load();
}

bool LabInjectionPoints::arrived(std::size_t point_number, std::int64_t within_ms) {
  const auto look_ms = static_cast<int>(std::min(within_ms, time_.look_every_ms(kPointLook_ms)));
  if (at_requests_.contains(point_number)) return requests_.reached(point_number, look_ms).has_value();
  return wait_reached(page_.armed_points.at(point_number), look_ms);
}

void LabInjectionPoints::release(std::size_t point_number, PointAction how) {
  if (at_requests_.contains(point_number)) return requests_.release(point_number, how);
  answer(page_.armed_points.at(point_number), in_process(how));
}

}  // namespace holdfast
