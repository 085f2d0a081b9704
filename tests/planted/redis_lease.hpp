// SET NX PX with a random value; renewal and release compare it in a script. Sound as it stands here; its commands
// stand in locks/redis_lease.redis.
#pragma once

#include "lock/lock.hpp"

namespace holdfast::planted {

class RedisLease : public Lock {
 public:
  Answer acquire(Session& session, Claim& claim) override;
  Answer renew(Session& session, Claim& claim) override;
  Answer release(Session& session, Claim& claim) override;
};

}  // namespace holdfast::planted
