// A lock on several servers that know nothing of each other, after "Distributed Locks with Redis", the page of Redis's
// own documentation on Redlock: whoever has set its value at a majority of them within the lease holds the lock.
//
//   1. the client looks at its clock
//   2. it asks each server in turn to set the key, with one value for all and the lease; a server that does not answer
//      within a time that is small beside the lease is passed over (servers/redis/redis_routes.hpp)
//   3. it has the lock if a majority did, and some of the lease is left: the lease minus the time that this took, minus
//      an allowance for clocks that drift, a hundredth of the lease and two milliseconds
//   4. that rest is how long the lock is its own, as far as it knows
//   5. if it has not got it, it frees the key at all servers, those included that did not answer
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
  virtual bool looks_at_clock() const { return true; }  // false: the steps 1, 3 and 4 are left out but for the count
};

}  // namespace holdfast
