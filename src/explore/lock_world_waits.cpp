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
  for (const std::uint8_t id : scene_.parked) {
    if (id >= kLetterOf ? retry_letter(static_cast<std::uint8_t>(id - kLetterOf)) : retry_actor(id)) return true;
  }
  return false;
}

bool LockWorld::retry_actor(std::uint8_t id) {
  Party& waiting = *scene_.actor(id);
  auto executed = store_.ask(waiting.session, waiting.sent(), waiting.parked_at_us);
  if (executed->would_wait) return false;
  scene_.unpark(id);
  settle(waiting, std::move(executed));
  return true;
}

// What arrives late comes to a session of its own; while one waits there no other can.
void LockWorld::arrive(std::uint8_t id) {
  Letter* letter = scene_.letter(id);
  if (letter == nullptr || scene_.letter_waits()) {
    throw BadInput("'" + actor_name(id) + "!arrives': nothing of it is on its way");
  }
  if (!read_letter(*letter, scene_.now_us)) return;
  retry_parked();
}

bool LockWorld::retry_letter(std::uint8_t of_actor) {
  Letter* letter = scene_.letter(of_actor);
  return read_letter(*letter, letter->parked_at_us);
}

bool LockWorld::read_letter(Letter& letter, std::int64_t time_us) {
  const Letter arrived = letter;
  const std::uint8_t mark = kLetterOf | arrived.actor;
  const auto executed = store_.ask(late_session(), arrived.command, time_us);
  const bool again = arrived.parked_at_us > 0;
  if (executed->would_wait) {
    letter.parked_at_us = time_us;
    letter.wait_us = executed->wait_us;
    if (!again) scene_.parked.push_back(mark);
    scene_.waited = true;
  } else {
    scene_.unpark(mark);
    scene_.letters.erase(scene_.letters.begin() + (&letter - scene_.letters.data()));
    takes_effect(*executed, arrived.issuer.op);
    note_executed(arrived.issuer.client, *arrived.command, arrived.issuer, executed->reply.affected > 0);
    if (executed->reply.affected > 0) scene_.beliefs.changed(arrived.issuer, scene_.now_us);
    store_.end_session(late_session());
  }
  if (!again || !executed->would_wait) {
    tell({"", actor_name(arrived.actor), 0, "arrives", arrived.command->text, answer_text(*executed), "", {}});
  }
  return !executed->would_wait;
}

// Nobody hears of it when a late statement has waited for as long as it may.
void LockWorld::give_up_letters() {
  for (std::size_t i = 0; i < scene_.letters.size(); ++i) {
    const Letter& letter = scene_.letters[i];
    if (letter.parked_at_us == 0 || scene_.now_us < letter.parked_at_us + letter.wait_us) continue;
    scene_.unpark(kLetterOf | letter.actor);
    scene_.letters.erase(scene_.letters.begin() + static_cast<std::ptrdiff_t>(i--));
    store_.end_session(late_session());
  }
}

}  // namespace holdfast
