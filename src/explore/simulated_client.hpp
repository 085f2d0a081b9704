// One simulated client, or its watchdog: the lock's own code on a stack of its own, and the Session that it is given.
// Every call that matters ends its turn; it goes on when it is told how the world went on.
//
//   SimulatedClient a(0, 0, store, "10.77.1.1");
//   a.begin([&] { program.run(); });
//   ClientTurn turn = a.take({now_us});        // turn.waits: for its next turn, an answer, a look at the clock
//
// It does what it is told and nothing else reaches it, so that the same turns lead to the same state.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "explore/fiber.hpp"
#include "explore/fingerprint.hpp"
#include "explore/turn.hpp"
#include "store/open_transaction.hpp"
#include "store/session.hpp"

namespace holdfast {

class SimulatedClient : public Session {
 public:
  SimulatedClient(std::uint8_t number, std::size_t session_number, SteppedStore& session_store, std::string own_address)
      : id(number), session(session_number), store_(session_store), own_(std::move(own_address)) {}

  // The scheduler's side.
  void begin(std::function<void()> program);
  ClientTurn take(const Told& told);  // throws what the program threw
  void abandon() { fiber_.abandon(); }

  // The lock's side.
  Reply attempt(std::string_view statement, Params params) override;
  std::int64_t now_ns() override;
  std::int64_t steady_ns() override;
  void sleep_ms(std::int64_t ms) override { sleep_until(told_.now_us + ms * 1000); }
  std::string address() const override { return own_; }

  // The program's side.
  void sleep_until(std::int64_t time_us);
  void operation_begins() { answered_since_look_ = false; }
  // Between these the lock looks at its client's deadline. Whether it read a clock or asked the server for it.
  void look_begins() { looking_ = true, looked_ = false; }
  bool look_ends() { return looking_ = false, looked_; }
  void say(Said said) { turn_.said.push_back(std::move(said)); }
  std::int64_t now_us() const { return told_.now_us; }
  const Watch& watch() const { return *told_.watch; }  // of a watchdog
  // What it does from here depends on nothing before but what this is made of ...
  void forget_all_but(Fingerprint what);
  // ... or on that and on all that it was told since forget_all_but was called the last time.
  void forget_before(Fingerprint what);
  template <class What>
  void remember(const What& what) {
    history_.add(what);
    since_.add(what);
  }

  const std::uint8_t id;
  const std::size_t session;

 private:
  void wait(Waits what);
  void look_at_clock();
  std::uint64_t state() const;

  SteppedStore& store_;
  const std::string own_;
  Fiber fiber_;
  Told told_;
  ClientTurn turn_;
  Fingerprint history_;  // of all that it was told, but for what it has forgotten
  Fingerprint since_;    // of what it was told since then
  bool connected_ = true;
  bool answered_since_look_ = false;
  bool looking_ = false;
  bool looked_ = false;
  OpenTransaction transaction_;
};

}  // namespace holdfast
