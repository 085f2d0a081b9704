// The complete state of a LockWorld as a value: copied where a schedule branches, and restored to continue from there.
// The states of clients and store are in their memories; here are only references to them.
//
// A state (equal ones are followed once) consists of all inputs of every client that has not ended, since its attempt
// began (or since it began itself, if the lock may keep something), what the clients wait for, the time, the beliefs,
// and the store's contents: rows, keys and locks of sessions. For a lock with transactions also what they changed or
// undid, because deleted rows are locked like existing ones; and while one is open, all statements since none was, in
// order, since reads take locks. No lock can distinguish two histories that agree in these. `--no-merge` follows both,
// and a test compares the two modes for every lock.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "artifact/schedule_word.hpp"
#include "explore/beliefs.hpp"
#include "explore/explore_settings.hpp"
#include "explore/fingerprint.hpp"
#include "explore/memoized_store.hpp"
#include "explore/simulated_client.hpp"
#include "explore/story.hpp"

namespace holdfast {

struct Doing {  // an actor's current operation
  Op op = Op::write;
  bool background = false;
  std::int64_t asked_us = 0;
  bool under_way = false;
};

// A client or a watchdog.
struct SimulatedActor {
  std::uint8_t id = 0;
  std::size_t number = 0;  // of its simulated client
  std::size_t session = 0;
  const ClientTurn* turn = nullptr;  // its last turn
  std::int64_t wake_us = 0;
  std::shared_ptr<const Executed> answer;  // not yet received
  std::shared_ptr<const StatementFailed> failure;
  std::shared_ptr<const Watch> watch;  // only of a watchdog
  Doing doing{};
  std::int64_t parked_at_us = 0;         // since this time, which is also its NOW()
  std::shared_ptr<const Executed> wait;  // while parked: the longest wait, and the answer at its end
  std::int64_t wrote_time_us = 0;        // when one of its statements last wrote the server's time
  std::int64_t sent_time_us = 0;         // when it last sent a statement after reading its own clock
  std::int64_t ahead_us = 0;             // of its wall clock
  WordKind fate = WordKind::step;        // fate of its next statement: lost, late, or neither
  bool parked = false;                   // the statement waits for a lock at the server
  bool cut = false;                      // the server has ended its session
  bool crashed = false;

  std::uint32_t client() const { return id / 2U; }
  bool watchdog() const { return id % 2U == 1; }
  bool gone() const { return crashed || turn->ended; }
  bool told() const { return answer || failure; }
  bool sleeps() const { return turn->waits == Waits::turn; }
  bool asks() const { return turn->waits == Waits::statement; }
  std::int64_t wait_over_us() const { return parked_at_us + wait->wait_us; }
  const std::shared_ptr<const Command>& sent() const { return turn->sent; }
  void settle(std::shared_ptr<const Executed> executed);  // stores the outcome of what it sent
  void fail(bool definite, Reason reason, const std::string& text);
  void add_to(Fingerprint& print) const;
};

struct StatementInFlight {  // a statement in flight; its sender has abandoned it
  std::uint8_t actor = 0;
  std::shared_ptr<const Command> command;
  Issuer issuer;
  std::int64_t parked_at_us = 0;  // arrived, and waiting for a lock since; 0: not arrived
  std::int64_t wait_us = 0;       // longest wait
};

// Flag in the list of waiting statements: an actor's late statement.
inline constexpr std::uint8_t kInFlightOf = 128;

struct WorldState {
  WorldState(const LockType& type, std::uint32_t clients) : beliefs(type, clients) {}

  std::int64_t now_us = 0;
  std::int64_t taken_us = 0;  // part of it used by statements since the last time word
  Beliefs beliefs;
  std::vector<SimulatedActor> actors;
  std::vector<std::int64_t> ends;  // ends of leases, as client or server may count them; sorted
  std::int64_t last_end_us = 0;    // of leases that took effect, counted from then; only decides when to ask at the end
  std::vector<StatementInFlight> in_flight;
  std::vector<std::uint8_t> parked;  // actors, and actors with kInFlightOf, in order of arrival
  std::uint8_t current = 0;
  bool begun = false;        // a step was taken
  bool just_passed = false;  // the last word was a time
  bool waited = false;       // a statement waited for a row lock
  ScheduleStory story;       // for reports: equal states may have different stories
  StorePoint store;          // of a stored world state

  SimulatedActor* actor(std::uint8_t id);
  const SimulatedActor* actor(std::uint8_t id) const { return const_cast<WorldState*>(this)->actor(id); }
  StatementInFlight* statement(std::uint8_t of_actor);  // the first
  bool in_flight_waits() const;
  bool has_just_written(std::uint32_t client) const;        // the server's time, in this very microsecond
  bool has_just_sent_its_time(std::uint32_t client) const;  // in this very microsecond
  void unpark(std::uint8_t id);
  bool runnable(const SimulatedActor& actor) const;
  std::int64_t next_wake_us() const;
  void end_expected(std::int64_t time_us);
  void end_not_expected(std::int64_t time_us);
  // Without the store.
  void add_to(Fingerprint& print) const;
};

}  // namespace holdfast
