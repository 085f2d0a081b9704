// One simulated client, or its watchdog, as the scheduler sees it: a program that runs until it wants something of the
// world, and what it wants. Its Session is what the lock's code is given; every call that matters gives the baton back.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "explore/baton.hpp"
#include "explore/fingerprint.hpp"
#include "explore/stepped_store.hpp"
#include "explore/word.hpp"
#include "store/open_transaction.hpp"
#include "store/session.hpp"

namespace holdfast {

enum class Waits : std::uint8_t {
  turn,       // it sleeps, works or begins; others may go on for free
  statement,  // has sent one
  look,       // is about to read its clock, after an answer
  reply,      // the answer is there (`fine`)
};

struct WorldClock {
  std::int64_t now_us = 0;  // the one time of the world
};

class Player : public Session {
 public:
  Player(std::uint8_t number, std::size_t session_number, SteppedStore& session_store, const WorldClock& world_clock,
         std::string own_address)
      : id(number), session(session_number), store(session_store), clock(world_clock), own(std::move(own_address)) {}

  // The lock's side.
  Reply attempt(std::string_view statement, Params params) override;
  std::int64_t now_ns() override;
  std::int64_t steady_ns() override;
  void sleep_ms(std::int64_t ms) override { sleep_until(clock.now_us + ms * 1000); }
  std::string address() const override { return own; }

  // The program's side.
  void sleep_until(std::int64_t time_us);
  void operation_begins() { answered_since_look = false; }

  // The scheduler's side.
  void begin(std::function<void()> program);
  void settle(const Executed& executed);  // the pending statement's outcome
  void fail(bool definite, Reason reason, const std::string& text);
  bool gone() const { return crashed || baton.ended(); }
  std::uint64_t state() const;

  const std::uint8_t id;
  const std::size_t session;
  SteppedStore& store;
  const WorldClock& clock;
  const std::string own;
  Baton baton;

  Waits waits = Waits::turn;
  std::int64_t wake_us = 0;
  Command sent;
  std::optional<Executed> answer;
  std::optional<StatementFailed> failure;
  bool parked = false;             // the statement waits for a row lock
  std::int64_t parked_at_us = 0;   // since, and the time that its NOW() has
  WordKind fate = WordKind::step;  // of its next statement: lost, late, or neither
  bool cut = false;                // the server has ended its session
  bool crashed = false;
  bool read_wall_clock = false;
  std::int64_t ahead_us = 0;  // of its wall clock
  Fingerprint history;        // of all that it was told

 private:
  void wait(Waits what);
  void look_at_clock();
  bool connected = true;
  bool answered_since_look = false;
  OpenTransaction transaction;
};

}  // namespace holdfast
