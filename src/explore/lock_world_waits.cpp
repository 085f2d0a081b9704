// Statements of a LockWorld that wait for row locks, and those that arrive late.
#include <algorithm>
#include <utility>

#include "artifact/error.hpp"
#include "explore/lock_world.hpp"

namespace holdfast {

void LockWorld::retry_parked() {
  while (retry_one_parked()) {
  }
}

bool LockWorld::retry_one_parked() {
  for (const std::uint8_t id : state_.parked) {
    if (id >= kInFlightOf ? retry_in_flight(static_cast<std::uint8_t>(id - kInFlightOf)) : retry_actor(id)) return true;
  }
  return false;
}

bool LockWorld::retry_actor(std::uint8_t id) {
  Party& waiting = *state_.actor(id);
  auto executed = store_.ask(waiting.session, waiting.sent(), waiting.parked_at_us);
  if (executed->would_wait) return false;
  state_.unpark(id);
  settle(waiting, std::move(executed));
  return true;
}

// What arrives late comes to a session of its own; while one waits there no other can.
void LockWorld::arrive(std::uint8_t id) {
  StatementInFlight* statement = state_.statement(id);
  if (statement == nullptr || state_.in_flight_waits()) {
    throw BadInput("'" + actor_name(id) + "!arrives': nothing of it is on its way");
  }
  if (!receive(*statement, state_.now_us)) return;
  retry_parked();
}

bool LockWorld::retry_in_flight(std::uint8_t of_actor) {
  StatementInFlight* statement = state_.statement(of_actor);
  return receive(*statement, statement->parked_at_us);
}

bool LockWorld::receive(StatementInFlight& statement, std::int64_t time_us) {
  const StatementInFlight arrived = statement;
  const std::uint8_t mark = kInFlightOf | arrived.actor;
  const auto executed = store_.ask(late_session(), arrived.command, time_us);
  const bool again = arrived.parked_at_us > 0;
  if (executed->would_wait) {
    statement.parked_at_us = time_us;
    statement.wait_us = executed->wait_us;
    if (!again) state_.parked.push_back(mark);
    state_.waited = true;
  } else {
    state_.unpark(mark);
    state_.in_flight.erase(state_.in_flight.begin() + (&statement - state_.in_flight.data()));
    takes_effect(*executed, arrived.issuer.op);
    note_executed(arrived.issuer.client, *arrived.command, arrived.issuer, executed->reply.affected > 0);
    if (executed->reply.affected > 0) state_.beliefs.changed(arrived.issuer, state_.now_us);
    store_.end_session(late_session());
  }
  if (!again || !executed->would_wait) {
    tell({"", actor_name(arrived.actor), 0, "arrives", arrived.command->text, answer_text(*executed), "", {}});
  }
  return !executed->would_wait;
}

// Nobody hears of it when a late statement has waited for as long as it may.
void LockWorld::give_up_in_flight() {
  for (std::size_t i = 0; i < state_.in_flight.size(); ++i) {
    const StatementInFlight& statement = state_.in_flight[i];
    if (statement.parked_at_us == 0 || state_.now_us < statement.parked_at_us + statement.wait_us) continue;
    state_.unpark(kInFlightOf | statement.actor);
    state_.in_flight.erase(state_.in_flight.begin() + static_cast<std::ptrdiff_t>(i--));
    store_.end_session(late_session());
  }
}

}  // namespace holdfast
