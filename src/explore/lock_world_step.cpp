// What a word does to a LockWorld.
#include <algorithm>
#include <utility>

#include "artifact/error.hpp"
#include "explore/lock_world.hpp"

namespace holdfast {

void LockWorld::take(const Word& word) {
  begin_telling(word);
  act(word);
  end_telling(word);
}

void LockWorld::act(const Word& word) {
  if (word.kind == WordKind::time) {
    pass_time(word.time_us);
    just_passed_ = true;
    return;
  }
  Player* actor = this->actor(word.actor);
  if (actor == nullptr) throw BadInput("'" + word_ + "': there is no such client here");
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
    default:
      strike(*actor, word.kind);
  }
  begun_ = begun_ || (word.kind != WordKind::ahead && word.kind != WordKind::behind);
  just_passed_ = false;
}

void LockWorld::pass_time(std::int64_t us) {
  clock_.now_us += us;
}

void LockWorld::step(Player& actor, const Word& word) {
  if (!runnable(actor)) throw BadInput("'" + word_ + "': " + actor_name(actor.id) + " cannot go on there");
  current_ = actor.id;
  if (word.kind != WordKind::step) actor.fate = word.kind;
  const bool answered = actor.answer || actor.failure;
  const bool slept = actor.waits == Waits::turn;
  if (actor.parked && !answered) {  // it has waited for as long as it may
    unpark(actor);
    Executed refused;
    refused.reply.error = kLockWaitTimeout;
    refused.reply.message = "Lock wait timeout exceeded";
    settle(actor, refused);
  } else if (actor.waits == Waits::statement && !answered) {
    execute(actor);
    if (actor.parked || settings_.fine) return;
  }
  go_on(actor);
  const bool sends = slept && !settings_.fine && !actor.gone() && actor.waits == Waits::statement;
  if (!sends) return;
  execute(actor);
  if (!actor.parked) go_on(actor);
}

void LockWorld::go_on(Player& actor) {
  actor.baton.hand_over();
  if (actor.read_wall_clock) reads_wall_clock_ = true;
}

void LockWorld::execute(Player& actor) {
  if (std::exchange(actor.cut, false)) {
    tell_statement(actor, actor.sent.text, "the connection is gone");
    return actor.fail(false, Reason::unavailable, "the connection is gone");
  }
  if (actor.fate == WordKind::late) {
    actor.fate = WordKind::step;
    letters_.push_back({actor.id, actor.sent, issuer_of(actor)});
    tell_statement(actor, actor.sent.text, "no answer: it is still on its way");
    return actor.fail(false, Reason::timeout, "no answer");
  }
  Executed executed = store_.run(actor.session, actor.sent, clock_.now_us);
  if (!executed.would_wait) {
    settle(actor, executed);
    return retry_parked();
  }
  waited_ = actor.parked = true;
  actor.parked_at_us = clock_.now_us;
  parked_.push_back(actor.id);
  tell_statement(actor, actor.sent.text, "waits for a row lock");
}

// The statement was executed, or refused for good: the outcome is there, to be heard when the actor goes on.
void LockWorld::settle(Player& actor, const Executed& executed) {
  note_change(issuer_of(actor), executed, actor.history.value());
  const bool lost = actor.fate == WordKind::lost;
  tell_statement(actor, actor.sent.text, answer_text(executed) + (lost ? "; the reply is lost" : ""));
  actor.fate = WordKind::step;
  if (!lost) return actor.settle(executed);
  store_.end_session(actor.session);
  actor.fail(false, Reason::timeout, "the reply was lost");
}

// While a transaction is open, reads take locks too, so that their order counts.
void LockWorld::note_change(const Issuer& issuer, const Executed& executed, std::uint64_t history) {
  if (executed.changed || anyone_holds_session()) {
    stored_.add(issuer.client).add(history).add(clock_.now_us).add(executed.reply.affected).add(executed.reply.error);
  }
  if (executed.reply.affected > 0) beliefs_.changed(issuer, clock_.now_us);
}

void LockWorld::retry_parked() {
  while (retry_one_parked()) {
  }
}

bool LockWorld::retry_one_parked() {
  for (const std::uint8_t id : parked_) {
    Player& waiting = *actor(id);
    Executed executed = store_.run(waiting.session, waiting.sent, waiting.parked_at_us);
    if (executed.would_wait) continue;
    unpark(waiting);
    settle(waiting, executed);
    return true;
  }
  return false;
}

void LockWorld::unpark(const Player& actor) {
  parked_.erase(std::remove(parked_.begin(), parked_.end(), actor.id), parked_.end());
}

void LockWorld::arrive(std::uint8_t id) {
  const auto letter = std::find_if(letters_.begin(), letters_.end(), [id](const Letter& l) { return l.actor == id; });
  if (letter == letters_.end()) throw BadInput("'" + word_ + "': nothing of it is on its way");
  const Letter arrived = *letter;
  letters_.erase(letter);
  const std::size_t session = sessions(settings_) - 1;
  const Executed executed = store_.run(session, arrived.command, clock_.now_us);
  tell({"", actor_name(id), 0, "arrives", arrived.command.text, answer_text(executed), "", {}});
  note_change(arrived.issuer, executed, id);
  store_.end_session(session);
  retry_parked();
}

// The server sees the end of its connection. What was on its way to it by then is lost.
void LockWorld::end_session(Player& actor) {
  if (store_.holds_session(actor.session)) stored_.add("ended").add(actor.id);
  store_.end_session(actor.session);
  if (actor.parked) {
    unpark(actor);
    actor.fail(false, Reason::unavailable, "the connection is gone");
  }
}

void LockWorld::strike(Player& actor, WordKind kind) {
  const bool clock = kind == WordKind::ahead || kind == WordKind::behind;
  if (actor.gone() || (clock && begun_)) throw BadInput("'" + word_ + "' is not possible there");
  if (clock) {
    const std::int64_t apart_us = (settings_.lease_ms + 1000) * kMillisecond_us;
    actor.ahead_us = kind == WordKind::ahead ? apart_us : -apart_us;
    return tell_event(actor,
                      "its clock is " + seconds_text(apart_us) + (kind == WordKind::ahead ? " ahead" : " behind"));
  }
  const bool waiting = actor.parked;
  end_session(actor);
  if (kind == WordKind::cut) {
    actor.cut = !waiting;
    tell_event(actor, "the server ends its session, which it has not noticed");
    return retry_parked();
  }
  tell_event(actor, "crashes");
  beliefs_.ended(client_of(actor));
  for (auto& one : actors_) {
    if (client_of(*one) != client_of(actor)) continue;
    one->crashed = true;
    end_session(*one);
    one->baton.abandon();
  }
  retry_parked();
}

void LockWorld::be_victim(Player& actor) {
  if (!actor.parked) throw BadInput("'" + word_ + "': it waits for nobody");
  unpark(actor);
  end_session(actor);
  actor.failure.reset();
  Executed refused;
  refused.reply.error = kDeadlock;
  refused.reply.message = "Deadlock found when trying to get lock; try restarting transaction";
  current_ = actor.id;
  settle(actor, refused);
  retry_parked();
}

}  // namespace holdfast
