// Who takes itself for the holder, and what must not be: the invariants.
//
// A *careful* client believes from the return of its acquire until it calls release, hears that it no longer holds, or
// its own steady clock passes the moment of its request plus the lease. Nobody can be more careful with what the lock
// tells it, so two careful believers are the algorithm's fault (or the fault's that the schedule has). A *naive* client
// does not look at its clock: two of them are what every lease does to those who do not check, and needs a fencing
// token; with a lock that has one, the token must rise instead. A client that is told inside its lease was served last,
// so its token is larger than all that were told. One that is told when its lease is over was served after those that
// were told before it asked, and before whoever holds inside its lease by then.
//
// A lock's own look at the deadline (`still_held`) is judged when it says yes: if the lease was over before the look
// began, and another was inside its own by then, the look is false, and that is the lock's fault. What happens between
// an honest look and what the client does next is nobody's: no look can help it, only a token can. A look that says no
// ends the belief, however early.
//
//   Beliefs beliefs(type, 2);
//   beliefs.asked(0, Op::acquire, now_us);
//   beliefs.answered(0, Op::acquire, Answer::granted(), claim, now_us);
//   beliefs.violations();
//
// Times are microseconds. It knows nothing of statements, but that one of them changed something (`changed`).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "explore/world.hpp"
#include "lock/lock.hpp"

namespace holdfast {

// The program that a statement, or an answer, belongs to: the client, and which of its grants.
struct Issuer {
  std::uint32_t client = 0;
  std::uint64_t grant = 0;
  Op op = Op::acquire;
  bool background = false;
};

class Beliefs {
 public:
  Beliefs(const LockType& type, std::uint32_t clients) : type_(&type), clients_(clients) {}
  void reset();

  void asked(std::uint32_t client, Op op, std::int64_t now_us);
  void answered(std::uint32_t client, Op op, const Answer& answer, std::int64_t lease_us, std::int64_t now_us);
  // It looks whether it still holds what it was granted; its own look says yes or no.
  void looks(std::uint32_t client, std::int64_t now_us);
  void looked(std::uint32_t client, bool held, std::int64_t now_us);
  void ended(std::uint32_t client);  // it leaves, or is no more
  // A statement changed something in the store.
  void changed(const Issuer& issuer, std::int64_t now_us);

  std::uint64_t grant_of(std::uint32_t client) const { return clients_[client].grant; }
  bool careful(std::uint32_t client, std::int64_t now_us) const;
  bool naive(std::uint32_t client) const { return clients_[client].believes; }
  std::optional<std::int64_t> until_us(std::uint32_t client) const;  // of a careful one; nothing: no lease
  // "A until 12:00:02.4" of a client that believes
  std::string text(std::uint32_t client, std::int64_t now_us) const;

  void add(Violation violation);
  const std::vector<Violation>& violations() const { return violations_; }
  std::uint64_t state() const;

 private:
  struct Client {
    bool believes = false;
    bool careful_when_asked = false;
    bool replaced_when_looking = false;  // its lease was over then, and another held
    std::int64_t asked_us = 0;
    std::int64_t until_us = 0;
    std::uint64_t grant = 0;                          // number of acquires asked for
    std::optional<std::uint64_t> token;               // of its grant
    std::optional<std::uint64_t> highest_when_asked;  // of the tokens that anybody had been told
  };
  void judge(std::uint32_t client, Op op, const Answer& answer, std::int64_t lease_us, std::int64_t now_us);
  void look(std::uint32_t newcomer, std::int64_t now_us);
  bool replaced(std::uint32_t client, std::int64_t now_us) const;
  void look_at_loss(std::uint32_t client, Op op, const Answer& answer, std::int64_t now_us);
  void look_at_token(std::uint32_t client, const Answer& answer, std::int64_t now_us);
  std::optional<std::uint32_t> overtaken(std::uint32_t client, std::int64_t now_us) const;

  const LockType* type_;
  std::vector<Client> clients_;
  std::optional<std::uint64_t> highest_token_;  // that anybody was told
  std::vector<Violation> violations_;
};

std::string client_name(std::uint32_t client);
std::string clock_text(std::int64_t time_us);  // 12:00:02.4

}  // namespace holdfast
