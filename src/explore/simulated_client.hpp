// A simulated client, or its watchdog, and what passes between it and the world when it is its turn.
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

// What a simulated client is told when it is its turn, and what it does until it waits again. Both are plain values,
// so that they can be remembered (memoized_client.hpp).
//
// Times are microseconds.
enum class Waits : std::uint8_t {
  turn,       // it sleeps, works or begins; others may go on for free
  statement,  // has sent one
  look,       // is about to read its clock, after an answer
};

// What a watchdog watches.
struct Watch {
  std::optional<Claim> claim;
  std::int64_t next_us = 0;
};

struct Told {
  std::int64_t now_us = 0;
  std::int64_t ahead_us = 0;                       // of its wall clock
  std::shared_ptr<const Executed> answer;          // to the statement that it sent
  std::shared_ptr<const StatementFailed> failure;  // or why there is none
  std::shared_ptr<const Watch> watch;              // of a watchdog: what its client left there

  std::uint64_t print() const;  // equal for what no program can tell apart
};

// A line of what a program lets be known of itself.
struct Said {
  enum class Kind : std::uint8_t { asked, answered, looks, looked, left, broke, watches } kind = Kind::asked;
  Op op = Op::write;
  bool background = false;
  Answer answer{};
  std::string what{};                    // what `broke` it
  std::shared_ptr<const Watch> watch{};  // what its watchdog is to do from now on
};

struct ClientTurn {
  std::vector<Said> said;
  Waits waits = Waits::turn;
  std::int64_t wake_us = 0;             // of a `turn`
  std::shared_ptr<const Command> sent;  // of a `statement`
  bool ended = false;
  bool read_wall_clock = false;
  bool look_read_wall_clock = false;  // the client's own look at its deadline did
  std::uint64_t state = 0;            // equal only if all that it can do from here is the same
};

// One simulated client, or its watchdog: the lock's own code on a stack of its own, and the Session that it is given.
// Every call that matters ends its turn; it goes on when it is told how the world went on.
//
//   SimulatedClient a(0, 0, store, "10.77.1.1");
//   a.begin([&] { program.run(); });
//   ClientTurn turn = a.take({now_us});        // turn.waits: for its next turn, an answer, a look at the clock
//
// It does what it is told and nothing else reaches it, so that the same turns lead to the same state.
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
  std::uint32_t servers() const override { return store_.servers(); }

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
