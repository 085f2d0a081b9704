// Document 002, version 1: SETNX. The lock has no lease, so a dead holder keeps it for ever. The unlock reads, and
// deletes any value: a second unlock of an earlier grant frees the present holder's lock.
#include "lock/redis_unlock.hpp"

namespace holdfast {
namespace {

class RedisSetnx : public Lock {
 public:
  Answer acquire(Session& session, Claim& claim) override {
    const Reply set = session.execute("acquire", {{"key", claim.key}, {"value", claim.value}});
    return set.affected > 0 ? Answer::granted() : Answer::busy();
  }
  Answer release(Session& session, Claim& claim) override { return unlock_whoever_holds(session, claim); }
};

}  // namespace

extern const LockType lock_redis_setnx;
const LockType lock_redis_setnx{
    .server = "redis",
    .lease = false,
    .make = [] { return std::unique_ptr<Lock>(new RedisSetnx); },
};

}  // namespace holdfast
