// Common part of the row locks on PostgreSQL: a row per key, locked with SELECT ... FOR UPDATE in a transaction that
// stays open while the lock is held. Each lock has its own form of refusal: an error that aborts the transaction
// (NOWAIT, or a wait time-out), or no row (SKIP LOCKED).
#pragma once

#include "lock/lock.hpp"

namespace holdfast {

class HeldRow : public Lock {
 public:
  void start(Session& session, const std::string& key) override;  // statement `create`: creates the row
  Answer acquire(Session& session, Claim& claim) override;        // `begin`, `acquire`; on a refusal `rollback`
  Answer release(Session& session, Claim& claim) override;        // `commit`
};

}  // namespace holdfast
