#include "explore/simulated_client.hpp"

#include <utility>

#include "artifact/error.hpp"
#include "explore/fingerprint.hpp"

namespace holdfast {

std::uint64_t Told::print() const {
  Fingerprint print;
  print.add(now_us).add(ahead_us).add(answer ? 1 : 0).add(failure ? 1 : 0).add(watch ? 1 : 0);
  if (answer) print.add(answer->print).add(answer->reply.error);  // an error that no store gave has no print
  if (failure) print.add(failure->definite ? 1 : 0).add(static_cast<int>(failure->reason)).add(failure->error);
  if (watch) print.add(watch->next_us).add(watch->claim ? 1 : 0);
  if (watch && watch->claim) {
    print.add(watch->claim->owner)
        .add(watch->claim->token)
        .add(watch->claim->deadline_ns)
        .add(watch->claim->value)
        .add(watch->claim->handle);
  }
  return print.value();
}

void SimulatedClient::begin(std::function<void()> program) {
  fiber_.abandon();  // before objects that it refers to change
  told_ = Told{};
  turn_ = ClientTurn{};
  forget_all_but(Fingerprint{});
  connected_ = true;
  answered_since_look_ = false;
  looking_ = looked_ = false;
  transaction_ = OpenTransaction{};
  fiber_.begin(std::move(program));
}

ClientTurn SimulatedClient::take(const Told& told) {
  told_ = told;
  turn_ = ClientTurn{};
  fiber_.resume();
  turn_.ended = fiber_.ended();
  turn_.state = state();
  return std::move(turn_);
}

void SimulatedClient::forget_all_but(Fingerprint what) {
  history_ = what;
  since_ = Fingerprint{};
}

void SimulatedClient::forget_before(Fingerprint what) {
  history_ = what.add(since_.value());
  since_ = Fingerprint{};
}

void SimulatedClient::wait(Waits what) {
  turn_.waits = what;
  fiber_.yield();
}

void SimulatedClient::sleep_until(std::int64_t time_us) {
  turn_.wake_us = time_us;
  wait(Waits::turn);
  remember(std::string_view("turn"));
}

Reply SimulatedClient::attempt(std::string_view statement, Params params) {
  looked_ = true;
  transaction_.before(statement, connected_);
  connected_ = true;
  turn_.sent = std::make_shared<const Command>(store_.bind(session, statement, params));
  wait(Waits::statement);
  answered_since_look_ = true;
  if (told_.failure) {
    connected_ = false;
    remember(std::string_view("failed"));
    remember(told_.failure->error);
    throw StatementFailed(*told_.failure);
  }
  const Reply& reply = told_.answer->reply;
  remember(told_.answer->print);
  remember(reply.error);  // one that no store gave (an ended wait, a deadlock's victim) has no print
  if (reply.ok()) transaction_.after(statement);
  return reply;
}

// Time may pass between an answer and the following reading of the clock. Before an operation's first statement this is
// unnecessary: everything that could happen there can happen before the operation.
void SimulatedClient::look_at_clock() {
  looked_ = true;
  if (!std::exchange(answered_since_look_, false)) return;
  wait(Waits::look);
}

std::int64_t SimulatedClient::now_ns() {
  look_at_clock();
  turn_.read_wall_clock = true;
  turn_.look_read_wall_clock = looking_;
  const std::int64_t time_us = told_.now_us + told_.ahead_us;
  remember(time_us);
  return time_us * 1000;
}

std::int64_t SimulatedClient::steady_ns() {
  look_at_clock();
  remember(told_.now_us);
  return told_.now_us * 1000;
}

std::uint64_t SimulatedClient::state() const {
  Fingerprint print = history_;
  print.add(static_cast<int>(turn_.waits)).add(turn_.ended ? 1 : 0).add(connected_ ? 1 : 0);
  print.add(transaction_.open() ? 1 : 0).add(answered_since_look_ ? 1 : 0);
  print.add(turn_.waits == Waits::turn ? turn_.wake_us : 0);
  print.add(turn_.waits == Waits::statement ? turn_.sent->text : "");
  return print.value();
}

}  // namespace holdfast
