#include "explore/world_state.hpp"

#include <algorithm>
#include <utility>

namespace holdfast {
namespace {

constexpr std::uint8_t kNobody = 255;

}  // namespace

void SimulatedActor::settle(std::shared_ptr<const Executed> executed) {
  answer = std::move(executed);
  parked = false;
}

void SimulatedActor::fail(bool definite, Reason reason, const std::string& text) {
  failure = std::make_shared<const StatementFailed>(definite, reason, 0, text);
  parked = false;
}

// Nothing matters about an ended client, except what it has left in the store.
void SimulatedActor::add_to(Fingerprint& print) const {
  print.add(gone() ? 1 : 0);
  if (gone()) return;
  print.add(turn->state).add(cut ? 1 : 0).add(parked ? parked_at_us : 0);
  print.add(static_cast<int>(fate)).add(ahead_us).add(sleeps() ? wake_us : 0).add(doing.under_way ? doing.asked_us : 0);
  if (told()) print.add(Told{0, 0, answer, failure, nullptr}.print());
  if (watch) print.add(Told{0, 0, nullptr, nullptr, watch}.print());
}

SimulatedActor* WorldState::actor(std::uint8_t id) {
  const auto found = std::find_if(actors.begin(), actors.end(), [id](const SimulatedActor& a) { return a.id == id; });
  return found == actors.end() ? nullptr : &*found;
}

StatementInFlight* WorldState::statement(std::uint8_t of_actor) {
  const auto found =
      std::find_if(in_flight.begin(), in_flight.end(), [&](const StatementInFlight& l) { return l.actor == of_actor; });
  return found == in_flight.end() ? nullptr : &*found;
}

bool WorldState::in_flight_waits() const {
  return std::any_of(in_flight.begin(), in_flight.end(), [](const StatementInFlight& l) { return l.parked_at_us > 0; });
}

bool WorldState::has_just_written(std::uint32_t client) const {
  return std::any_of(actors.begin(), actors.end(),
                     [&](const SimulatedActor& one) { return one.client() == client && one.wrote_time_us == now_us; });
}

bool WorldState::has_just_sent_its_time(std::uint32_t client) const {
  return std::any_of(actors.begin(), actors.end(),
                     [&](const SimulatedActor& one) { return one.client() == client && one.sent_time_us == now_us; });
}

void WorldState::unpark(std::uint8_t id) {
  parked.erase(std::remove(parked.begin(), parked.end(), id), parked.end());
}

bool WorldState::runnable(const SimulatedActor& actor) const {
  if (actor.gone()) return false;
  if (actor.told()) return true;
  if (actor.sleeps()) return actor.wake_us <= now_us;
  return !actor.parked || now_us >= actor.wait_over_us();
}

std::int64_t WorldState::next_wake_us() const {
  std::int64_t wake_us = kNever_us;
  for (const auto& actor : actors) {
    if (actor.gone()) continue;
    if (actor.sleeps() && actor.wake_us > now_us) wake_us = std::min(wake_us, actor.wake_us);
    if (actor.parked) wake_us = std::min(wake_us, actor.wait_over_us());
  }
  return wake_us;
}

void WorldState::end_expected(std::int64_t time_us) {
  ends.insert(std::upper_bound(ends.begin(), ends.end(), time_us), time_us);
}

void WorldState::end_not_expected(std::int64_t time_us) {
  const auto end = std::lower_bound(ends.begin(), ends.end(), time_us);
  if (end != ends.end() && *end == time_us) ends.erase(end);
}

void WorldState::add_to(Fingerprint& print) const {
  const auto last =
      std::find_if(actors.begin(), actors.end(), [this](const SimulatedActor& p) { return p.id == current; });
  const bool free = !runnable(*last) || last->sleeps();  // then the previous actor does not matter
  print.add(now_us).add(beliefs.state()).add(free ? kNobody : current).add(just_passed ? 1 : 0);
  for (const auto& actor : actors) {
    actor.add_to(print);
    if (!actor.gone()) print.add(actor.wrote_time_us == now_us ? 1 : 0).add(actor.sent_time_us == now_us ? 1 : 0);
  }
  std::int64_t last_us = 0;
  for (auto end = std::lower_bound(ends.begin(), ends.end(), now_us - kSecond_us); end != ends.end(); ++end) {
    if (*end != last_us) print.add(*end);
    last_us = *end;
  }
  print.add(in_flight.size()).add(parked.size());
  for (const auto& statement : in_flight) {  // about its grant only matters whether it is the client's present one
    const bool present = statement.issuer.grant == beliefs.grant_of(statement.issuer.client);
    print.add(statement.actor).add(statement.command->print).add(present ? 1 : 0).add(statement.parked_at_us);
  }
  for (const std::uint8_t id : parked) print.add(id);
}

}  // namespace holdfast
