// A lock on several independent servers, after "Distributed Locks with Redis", the Redlock page of Redis's
// documentation: a client that has set its value at a majority of them within the lease holds the lock.
//
//   1. the client reads its clock
//   2. it asks each server in turn to set the key, with the same value and the lease; a server without an answer
//      within a time that is short compared with the lease is skipped (servers/redis/redis_routes.hpp)
//   3. it holds the lock if a majority agreed and part of the lease is left: the lease minus the elapsed time, minus
//      an allowance for clock drift, a hundredth of the lease plus two milliseconds
//   4. that remaining time is the validity of its grant
//   5. otherwise it frees the key at all servers, including those that did not answer
//
// Statements: `acquire` and `release`, each at one server (Session::attempt_at). With one server this is an ordinary
// lock.
//
// Answers. `busy`: no majority, and everything that was set is freed. `unavailable`: a majority cannot be reached.
// Indeterminate: a majority may have the key set and not freed, since they have not answered. A release has taken
// effect if a majority freed the key.
#pragma once

#include "lock/lock.hpp"

namespace holdfast {

class QuorumLock : public Lock {
 public:
  Answer acquire(Session& session, Claim& claim) override;
  Answer release(Session& session, Claim& claim) override;
  bool still_held(Session& session, const Claim& claim) override;

 private:
  // false: only the majority counts; steps 1 and 4 and the time of step 3 are left out
  virtual bool looks_at_clock() const { return true; }
};

}  // namespace holdfast
