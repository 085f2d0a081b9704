// Effects of words on a LockWorld.
#include <algorithm>
#include <utility>

#include "artifact/error.hpp"
#include "explore/lock_world.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kMoment_us = 1;

// Answer after a wait: an error for a row lock; for a session's own lock the server's answer.
std::shared_ptr<const Executed> after_wait(const Executed& waits) {
  auto out = std::make_shared<Executed>();
  out->reply = waits.reply;
  out->read = waits.read;
  out->print = waits.print;
  return out;
}

}  // namespace

void LockWorld::take(const Word& word) {
  writer_.begin(word);
  act(word);
  writer_.end(word);
}

void LockWorld::act(const Word& word) {
  if (word.kind == WordKind::time) {
    state_.now_us += std::max<std::int64_t>(word.time_us - std::exchange(state_.taken_us, 0), 0);
    state_.just_passed = true;
    note_time();
    give_up_in_flight();
    return;
  }
  SimulatedActor* actor = state_.actor(word.actor);
  if (actor == nullptr) throw BadInput("'" + to_text(word) + "': no such client here");
  switch (word.kind) {
    case WordKind::step:
    case WordKind::lost:
    case WordKind::late:
      step(*actor, word);
      break;
    case WordKind::arrives:
      arrive(word.actor);
      break;
    case WordKind::victim:
      be_victim(*actor);
      break;
    case WordKind::cut:
    case WordKind::crash:
    case WordKind::ahead:
    case WordKind::behind:
      strike(*actor, word.kind);
      break;
    case WordKind::time:
      break;
  }
  state_.begun = state_.begun || (word.kind != WordKind::ahead && word.kind != WordKind::behind);
  state_.just_passed = false;
}

void LockWorld::step(SimulatedActor& actor, const Word& word) {
  if (!state_.runnable(actor))
    throw BadInput("'" + to_text(word) + "': " + actor_name(actor.id) + " cannot continue there");
  state_.current = actor.id;
  if (word.kind != WordKind::step) actor.fate = word.kind;
  const bool slept = actor.sleeps();
  if (actor.turn->waits == Waits::look) writer_.event(actor, kLooks);
  if (actor.parked && !actor.told()) {  // it has waited for the maximum time
    state_.unpark(actor.id);
    settle(actor, after_wait(*actor.wait));
  } else if (actor.asks() && !actor.told()) {
    execute(actor);
    if (actor.parked || settings_.fine) return;
  }
  go_on(actor);
  const bool sends = slept && !settings_.fine && !actor.gone() && actor.asks();
  if (!sends) return;
  execute(actor);
  if (!actor.parked) go_on(actor);
}

// A client does not read its own clock again in the microsecond in which it sent a reading of it.
void LockWorld::go_on(SimulatedActor& actor) {
  if (!actor.told() && state_.has_just_sent_its_time(actor.client())) pass_moment();
  const Told told{state_.now_us, actor.ahead_us, std::exchange(actor.answer, nullptr),
                  std::exchange(actor.failure, nullptr), actor.watch};
  actor.turn = &simulated_[actor.number]->take(actor.turn == nullptr ? kNotBegun : actor.turn->state, told);
  if (moments() && actor.turn->read_wall_clock && actor.asks()) actor.sent_time_us = state_.now_us;
  actor.wake_us = actor.turn->wake_us;
  if (actor.turn->read_wall_clock) reads_wall_clock_ = true;
  if (actor.turn->look_read_wall_clock) look_reads_wall_clock_ = true;
  for (const auto& said : actor.turn->said) hear(actor, said);
}

void LockWorld::execute(SimulatedActor& actor) {
  if (std::exchange(actor.cut, false)) {
    tell_statement(actor, "the connection is gone");
    return actor.fail(false, Reason::unavailable, "the connection is gone");
  }
  if (actor.fate == WordKind::late) {
    note_struck(actor, WordKind::late);
    actor.fate = WordKind::step;
    state_.in_flight.push_back({actor.id, actor.sent(), issuer_of(actor), 0});
    tell_statement(actor, "no answer: it is still in flight");
    return actor.fail(false, Reason::timeout, "no answer");
  }
  auto executed = answer_of(actor);
  if (!executed->would_wait) {
    settle(actor, std::move(executed));
    return retry_parked();
  }
  state_.waited = actor.parked = true;
  actor.wait = executed;
  actor.parked_at_us = state_.now_us;
  state_.parked.push_back(actor.id);
  tell_statement(actor, answer_text(*actor.wait));
}

// The statement was executed, or finally refused: the outcome is available when the actor runs.
void LockWorld::settle(SimulatedActor& actor, std::shared_ptr<const Executed> executed) {
  takes_effect(*executed, actor.doing.op);
  const bool lost = actor.fate == WordKind::lost;
  if (lost) note_struck(actor, WordKind::lost);
  note_executed(actor.client(), *actor.sent(), issuer_of(actor), executed->reply);
  if (executed->reply.affected > 0) state_.beliefs.changed(issuer_of(actor), state_.now_us);
  if (writer_.writes()) {
    tell_statement(actor, answer_text(*executed) + (lost ? "; the reply is lost" : ""));
  }
  note_time_written(actor, *executed);
  actor.fate = WordKind::step;
  if (!lost) return actor.settle(std::move(executed));
  store_.end_session(actor.session);
  actor.fail(false, Reason::timeout, "the reply was lost");
}

// A statement that reads the server's clock may have written the time.
void LockWorld::note_time_written(SimulatedActor& actor, const Executed& executed) {
  if (executed.reply.affected > 0 && !actor.sent()->at_any_time && moments()) actor.wrote_time_us = state_.now_us;
}

bool LockWorld::moments() const {
  return store_.tick_us() <= kMoment_us;
}

// The next time word counts from before, so that it states when the schedule continues.
void LockWorld::pass_moment() {
  state_.now_us += kMoment_us;
  state_.taken_us += kMoment_us;
}

// A server does not answer two statements of a client in one microsecond. Only a statement without a change right after
// a change can reveal it: it may have written the same time again, so it gets a slightly later time.
std::shared_ptr<const Executed> LockWorld::answer_of(SimulatedActor& actor) {
  auto executed = store_.ask(actor.session, actor.sent(), state_.now_us);
  const bool nothing = executed->reply.ok() && executed->reply.affected == 0 && !executed->changed;
  if (actor.sent()->at_any_time) return executed;
  if (!nothing || executed->read || executed->would_wait || !has_just_written(actor)) return executed;
  pass_moment();
  return store_.ask(actor.session, actor.sent(), state_.now_us);
}

// The server sees the end of the connection. Statements in flight are lost.
void LockWorld::end_session(SimulatedActor& actor) {
  store_.end_session(actor.session);
  if (actor.parked) {
    state_.unpark(actor.id);
    actor.fail(false, Reason::unavailable, "the connection is gone");
  }
}

void LockWorld::strike(SimulatedActor& actor, WordKind kind) {
  const bool clock = kind == WordKind::ahead || kind == WordKind::behind;
  if (actor.gone()) {
    throw BadInput("'" + to_text({kind, actor.id, 0}) + "' is not possible there");
  }
  note_struck(actor, kind);
  if (clock) {
    const std::int64_t apart_us = (settings_.lease_ms + 1000) * kMillisecond_us;
    actor.ahead_us = kind == WordKind::ahead ? apart_us : -apart_us;
    return writer_.event(actor, std::string(state_.begun ? "its clock is set " : "its clock is ") +
                                    seconds_text(apart_us) + (kind == WordKind::ahead ? " ahead" : " behind"));
  }
  const bool waiting = actor.parked;
  end_session(actor);
  if (kind == WordKind::cut) {
    actor.cut = !waiting;
    writer_.event(actor, "the server ends its session, unnoticed by the client");
  } else {
    crash(actor);
  }
  retry_parked();
}

void LockWorld::crash(const SimulatedActor& actor) {
  writer_.event(actor, "crashes");
  state_.beliefs.ended(actor.client());
  for (auto& one : state_.actors) {
    if (one.client() != actor.client()) continue;
    one.crashed = true;
    end_session(one);
  }
}

void LockWorld::be_victim(SimulatedActor& actor) {
  if (!actor.parked) throw BadInput("'" + actor_name(actor.id) + "!victim': it does not wait for any client");
  state_.unpark(actor.id);
  end_session(actor);
  actor.failure.reset();
  auto refused = std::make_shared<Executed>();
  refused->reply = store_.deadlock();
  state_.current = actor.id;
  settle(actor, refused);
  retry_parked();
}

// Statements of a LockWorld that wait for row locks, and late statements.

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
  SimulatedActor& waiting = *state_.actor(id);
  auto executed = store_.ask(waiting.session, waiting.sent(), waiting.parked_at_us);
  if (executed->would_wait) return false;
  state_.unpark(id);
  settle(waiting, std::move(executed));
  return true;
}

// A late statement arrives in a session of its own; while one waits there, no other can arrive.
void LockWorld::arrive(std::uint8_t id) {
  StatementInFlight* statement = state_.statement(id);
  if (statement == nullptr || state_.in_flight_waits()) {
    throw BadInput("'" + actor_name(id) + "!arrives': no request of it is in flight");
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
    note_executed(arrived.issuer.client, *arrived.command, arrived.issuer, executed->reply);
    if (executed->reply.affected > 0) state_.beliefs.changed(arrived.issuer, state_.now_us);
    store_.end_session(late_session());
  }
  if (!again || !executed->would_wait) {
    writer_.arrival(arrived.actor, *arrived.command, answer_text(*executed));
  }
  return !executed->would_wait;
}

// A late statement that has waited for the maximum time ends without any client noticing.
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
