// Which clients believe that they hold the lock, and the invariants for these beliefs.
//
// A *careful* client believes from the return of its acquire until it calls release, learns that it no longer holds, or
// its own steady clock passes the time of its request plus the lease. No client can be more careful with the lock's
// answers, so two careful beliefs are a fault of the algorithm (or of an injected fault). A *naive* client does not
// check its clock: two naive beliefs are what every lease permits, and need a fencing token. With a token, the token
// must rise instead. A client that is granted inside its lease was served last, so its token is larger than all tokens
// received before. A client whose grant arrives after its lease was served after the grants received before it asked,
// and before any client inside its lease by then.
//
// A lock's own deadline check (`still_held`) is judged when it returns yes: if the lease was over before the check
// began and another client was inside its lease by then, the answer is wrong, which is the lock's fault. What happens
// between a correct check and the client's next action is not judged: only a token can prevent it. A check that returns
// no ends the belief, however early.
//
//   Beliefs beliefs(type, 2);
//   beliefs.asked(0, Op::acquire, now_us);
//   beliefs.answered(0, Op::acquire, Answer::granted(), claim, now_us);
//   beliefs.violations();
//
// A holder of a reentrant lock that acquires again inside its lease extends it. After its lease it may have acquired a
// free key, which it counts as the inner hold and the store as the only one: the inner release frees it, rightly.
//
// Times are microseconds. It knows nothing about statements, except that one changed something (`changed`).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "explore/world.hpp"
#include "lock/lock.hpp"

namespace holdfast {

// Origin of a statement or an answer: the client, and which of its grants.
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
  // The client checks whether it still holds its grant; its own check returns yes or no.
  void looks(std::uint32_t client, std::int64_t now_us);
  void looked(std::uint32_t client, bool held, std::int64_t now_us);
  void ended(std::uint32_t client);  // the client leaves or has ended
  // A statement changed something in the store.
  void changed(const Issuer& issuer, std::int64_t now_us);

  std::uint64_t grant_of(std::uint32_t client) const { return clients_[client].grant; }
  bool careful(std::uint32_t client, std::int64_t now_us) const;
  bool naive(std::uint32_t client) const { return clients_[client].believes; }
  std::optional<std::int64_t> until_us(std::uint32_t client) const;  // end of a careful belief; empty: no lease
  // "A until 12:00:02.4" for a client with a belief
  std::string text(std::uint32_t client, std::int64_t now_us) const;

  void add(Violation violation);
  const std::vector<Violation>& violations() const { return violations_; }
  std::uint64_t state() const;

 private:
  struct Client {
    bool believes = false;
    bool careful_when_asked = false;
    bool replaced_when_looking = false;  // its lease was over then, and another client held
    bool restarted = false;              // acquired again after its lease: for the store it may be the first hold
    std::int64_t asked_us = 0;
    std::int64_t until_us = 0;
    std::uint64_t grant = 0;                          // number of requested acquires
    std::optional<std::uint64_t> token;               // token of its grant
    std::optional<std::uint64_t> highest_when_asked;  // highest token any client had received
  };
  void judge(std::uint32_t client, Op op, const Answer& answer, std::int64_t lease_us, std::int64_t now_us);
  void look(std::uint32_t newcomer, std::int64_t now_us);
  bool replaced(std::uint32_t client, std::int64_t now_us) const;
  void look_at_loss(std::uint32_t client, Op op, const Answer& answer, std::int64_t now_us);
  void look_at_token(std::uint32_t client, const Answer& answer, std::int64_t now_us);
  std::optional<std::uint32_t> overtaken(std::uint32_t client, std::int64_t now_us) const;

  const LockType* type_;
  std::vector<Client> clients_;
  std::optional<std::uint64_t> highest_token_;  // that any client has received
  std::vector<Violation> violations_;
};

std::string client_name(std::uint32_t client);
std::string clock_text(std::int64_t time_us);  // 12:00:02.4

}  // namespace holdfast
