// A simulated client, or its watchdog, and its exchange with the world in each turn.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "explore/fiber.hpp"
#include "explore/fingerprint.hpp"
#include "lock/lock.hpp"
#include "servers/stepped_store.hpp"
#include "store/session.hpp"

namespace holdfast {

// Input of a simulated client's turn, and its actions until it waits again. Both are plain values, so that they can be
// memoized (memoized_client.hpp).
//
// Times are microseconds.
enum class Waits : std::uint8_t {
  turn,       // sleeps, works or begins; others may continue for free
  statement,  // has sent a statement
  look,       // is about to read its clock, after an answer
};

// The lock watched by a watchdog.
struct Watch {
  std::optional<Claim> claim;
  std::int64_t next_us = 0;
};

struct Told {
  std::int64_t now_us = 0;
  std::int64_t ahead_us = 0;                       // of its wall clock
  std::shared_ptr<const Executed> answer;          // to the statement that it sent
  std::shared_ptr<const StatementFailed> failure;  // why there is no answer
  std::shared_ptr<const Watch> watch;              // for a watchdog: set by its client

  std::uint64_t print() const;  // equal for values that no program can distinguish
};

// An announcement of a program about itself.
struct ClientAnnouncement {
  enum class Kind : std::uint8_t { asked, answered, looks, looked, left, broke, watches } kind = Kind::asked;
  Op op = Op::write;
  bool background = false;
  Answer answer{};
  std::string what{};                    // what caused `broke`
  std::shared_ptr<const Watch> watch{};  // new order for its watchdog
};

struct ClientTurn {
  std::vector<ClientAnnouncement> said;
  Waits waits = Waits::turn;
  std::int64_t wake_us = 0;             // for `turn`
  std::shared_ptr<const Command> sent;  // for `statement`
  bool ended = false;
  bool read_wall_clock = false;
  bool look_read_wall_clock = false;  // the client's own deadline check read it
  std::uint64_t state = 0;            // equal only if all its possible continuations are equal
};

// One simulated client, or its watchdog: the lock's own code on its own stack, and the Session given to it. Every
// relevant call ends its turn; it continues when it receives the world's reaction.
//
//   SimulatedClient a(0, 0, store, "10.77.1.1");
//   a.begin([&] { program.run(); });
//   ClientTurn turn = a.take({now_us});        // turn.waits: for its next turn, an answer, a reading of the clock
//
// It is influenced by these inputs only, so that equal turns lead to equal states.
class SimulatedClient : public Session {
 public:
  SimulatedClient(std::uint8_t number, std::size_t session_number, SteppedStore& session_store, std::string own_address)
      : id(number), session(session_number), store_(session_store), own_(std::move(own_address)) {}

  // The scheduler's side.
  void begin(std::function<void()> program);
  ClientTurn take(const Told& told);  // rethrows the program's exception
  void abandon() { fiber_.abandon(); }

  // The lock's side.
  Reply attempt(std::string_view statement, Params params) override;
  std::int64_t now_ns() override;
  std::int64_t steady_ns() override;
  void sleep_ms(std::int64_t ms) override { sleep_until(told_.now_us + ms * 1000); }
  std::string address() const override { return own_; }
  std::uint32_t servers() const override { return store_.servers(); }

  // The program's side.
  void sleep_until(std::int64_t time_us);
  void operation_begins() { answered_since_look_ = false; }
  // Marks the lock's deadline check, and whether it read a clock or asked the server.
  void look_begins() { looking_ = true, looked_ = false; }
  bool look_ends() { return looking_ = false, looked_; }
  void say(ClientAnnouncement said) { turn_.said.push_back(std::move(said)); }
  std::int64_t now_us() const { return told_.now_us; }
  const Watch& watch() const { return *told_.watch; }  // only of a watchdog
  // From now on its behaviour depends only on what this is made of ...
  void forget_all_but(Fingerprint what);
  // ... or on that and on all inputs since the last call of forget_all_but.
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
  Fingerprint history_;  // of all inputs that are not forgotten
  Fingerprint since_;    // inputs since then
  bool connected_ = true;
  bool answered_since_look_ = false;
  bool looking_ = false;
  bool looked_ = false;
  OpenTransaction transaction_;
};

}  // namespace holdfast
