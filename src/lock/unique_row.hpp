// What the MySQL locks of document 002 share: a row with a unique order number is the lock, and it has no expiry. A
// locking read asks whether it is there; if not, it is inserted, and its id is the key to the release.
//
// The document catches every exception of the insert and answers "not locked": also one whose statement took effect. It
// says that the id is returned, while its table has no AUTO_INCREMENT: the caller brings one, here made of the claim's
// UUID.
#pragma once

#include "lock/lock.hpp"

namespace holdfast {

class UniqueRow : public Lock {
 public:
  Answer acquire(Session& session, Claim& claim) override;
  Answer release(Session& session, Claim& claim) override;
};

}  // namespace holdfast
