// Common part of the locks of document 000: a row is the lock. An expired row is deleted before each attempt, then the
// row is inserted; a duplicate key is a refusal. The release deletes by key and owner.
//
// In the document tryLock has a transaction of its own (REQUIRES_NEW), at READ COMMITTED, the default of its server. A
// duplicate key is caught, so the method returns and the transaction is committed; any other error rolls it back.
#pragma once

#include "lock/lock.hpp"

namespace holdfast {

class ExpiringRow : public Lock {
 public:
  Answer acquire(Session& session, Claim& claim) override;
  Answer release(Session& session, Claim& claim) override;

 protected:
  Answer try_lock(Session& session, const Claim& claim);       // the method's two statements
  virtual Reply insert(Session& session, const Claim& claim);  // statement `acquire`

  // As in the document, leases are whole seconds.
  static std::int64_t lease_s(const Claim& claim) { return (claim.lease_ms + 999) / 1000; }
};

}  // namespace holdfast
