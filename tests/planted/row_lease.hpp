// The lock that most of the bugs are planted in, sound as it stands here: a row of the key is the lock, with its owner
// and its expiry by the server's clock. An expired row is deleted, a row is inserted, a duplicate key is a refusal;
// renewal and release ask for the owner. What it asks of the server stands in locks/row_lease.sql.
//
//   class ReleaseByKey : public planted::RowLease { Answer release(...) override { ... } };
//
// It has no deadline of its own and no token: a holder that outlives its lease is not told.
#pragma once

#include "lock/lock.hpp"

namespace holdfast::planted {

class RowLease : public Lock {
 public:
  Answer acquire(Session& session, Claim& claim) override;
  Answer renew(Session& session, Claim& claim) override;
  Answer release(Session& session, Claim& claim) override;
};

template <typename Any>
std::unique_ptr<Lock> make() {
  return std::make_unique<Any>();
}

// Answer of an INSERT that takes the lock.
Answer taken(const Reply& inserted);

// Answer of a statement that changes what is the caller's own.
Answer own(const Reply& changed);

inline std::int64_t lease_us(const Claim& claim) {
  return claim.lease_ms * 1000;
}

}  // namespace holdfast::planted
