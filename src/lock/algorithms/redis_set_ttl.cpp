// Document 002, version 2: SET NX PX, a lock with a lease. The unlock is version 1's: a holder that outlived its lease
// deletes its successor's lock.
#include "lock/redis_unlock.hpp"

namespace holdfast {
namespace {

class RedisSetTtl : public Lock {
 public:
  Answer acquire(Session& session, Claim& claim) override {
    const Reply set =
        session.execute("acquire", {{"key", claim.key}, {"value", claim.value}, {"ttl_ms", claim.lease_ms}});
    return set.affected > 0 ? Answer::granted() : Answer::busy();
  }
  Answer release(Session& session, Claim& claim) override { return unlock_whoever_holds(session, claim); }
};

}  // namespace

extern const LockType lock_redis_set_ttl;
const LockType lock_redis_set_ttl{
    .server = "redis",
    .make = [] { return std::unique_ptr<Lock>(new RedisSetTtl); },
};

}  // namespace holdfast
