// What the row locks on PostgreSQL share: a row a key, locked with SELECT ... FOR UPDATE in a transaction that stays
// open for as long as the lock is held. What a refusal looks like is each lock's own: an error that aborts the
// transaction (NOWAIT, or a wait that took too long), or no row (SKIP LOCKED).
#pragma once

#include "lock/lock.hpp"

namespace holdfast {

class HeldRow : public Lock {
 public:
  void start(Session& session, const std::string& key) override;  // statement `create`: the row is there
  Answer acquire(Session& session, Claim& claim) override;        // `begin`, `acquire`; on a refusal `rollback`
  Answer release(Session& session, Claim& claim) override;        // `commit`
};

}  // namespace holdfast
