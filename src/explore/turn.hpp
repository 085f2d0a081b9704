// What a simulated client is told when it is its turn, and what it does until it waits again. Both are plain values,
// so that they can be remembered (memoized_client.hpp).
//
// Times are microseconds.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lock/lock.hpp"
#include "servers/stepped_store.hpp"

namespace holdfast {

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

}  // namespace holdfast
