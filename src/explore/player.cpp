#include "explore/player.hpp"

#include <utility>

namespace holdfast {

void Player::begin(std::function<void()> program) {
  waits = Waits::turn;
  wake_us = 0;
  answer.reset();
  failure.reset();
  fate = WordKind::step;
  parked = cut = crashed = read_wall_clock = false;
  ahead_us = 0;
  history = Fingerprint{};
  connected = true;
  answered_since_look = false;
  transaction = OpenTransaction{};
  baton.begin(std::move(program));
}

void Player::wait(Waits what) {
  waits = what;
  baton.give_back();
}

void Player::sleep_until(std::int64_t time_us) {
  wake_us = time_us;
  wait(Waits::turn);
  history.add("turn");
}

Reply Player::attempt(std::string_view statement, Params params) {
  transaction.before(statement, connected);
  connected = true;
  sent = store.bind(session, statement, params);
  wait(Waits::statement);
  answered_since_look = true;
  if (failure) {
    connected = false;
    const StatementFailed failed = *std::exchange(failure, std::nullopt);
    history.add("failed").add(failed.error);
    throw failed;
  }
  Reply reply = std::exchange(answer, std::nullopt)->reply;
  history.add(reply.error).add(reply.affected);
  for (const auto& row : reply.rows) {
    for (const auto& field : row) history.add(field ? *field : "NULL");
  }
  if (reply.ok()) transaction.after(statement);
  return reply;
}

void Player::settle(const Executed& executed) {
  answer = executed;
  parked = false;
}

void Player::fail(bool definite, Reason reason, const std::string& text) {
  failure.emplace(definite, reason, 0, text);
  parked = false;
}

// Time may pass between an answer and the look at the clock that follows it. Before an operation's first statement it
// need not: whatever could happen there can happen before the operation.
void Player::look_at_clock() {
  if (!std::exchange(answered_since_look, false)) return;
  wait(Waits::look);
}

std::int64_t Player::now_ns() {
  look_at_clock();
  read_wall_clock = true;
  const std::int64_t time_us = clock.now_us + ahead_us;
  history.add("now").add(time_us);
  return time_us * 1000;
}

std::int64_t Player::steady_ns() {
  look_at_clock();
  history.add("steady").add(clock.now_us);
  return clock.now_us * 1000;
}

std::uint64_t Player::state() const {
  Fingerprint print = history;
  print.add(static_cast<int>(waits)).add(baton.ended() ? 1 : 0).add(crashed ? 1 : 0).add(cut ? 1 : 0);
  print.add(parked ? parked_at_us : 0).add(static_cast<int>(fate)).add(answer || failure ? 1 : 0).add(ahead_us);
  print.add(waits == Waits::turn ? wake_us : 0).add(waits == Waits::statement ? sent.statement : "");
  return print.value();
}

}  // namespace holdfast
