// Common part of the MySQL locks of document 002: a row with a unique order number is the lock, without expiry. A
// locking read tests whether it exists; if not, it is inserted, and the release uses its id.
//
// The document catches every exception of the insert and answers "not locked", including one whose statement took
// effect. It states that the id is returned, but its table has no AUTO_INCREMENT: the caller provides one, here derived
// from the claim's UUID.
#pragma once

#include "lock/lock.hpp"

namespace holdfast {

class UniqueRow : public Lock {
 public:
  Answer acquire(Session& session, Claim& claim) override;
  Answer release(Session& session, Claim& claim) override;
};

}  // namespace holdfast
