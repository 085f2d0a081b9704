// Document 004's yardstick: SET NX PX with a random value, freed by an atomic script that compares and deletes. It can
// neither free nor prolong another client's lock. No renewal, no fencing: a holder that overruns its lease does not
// know.
#include "lock/lock.hpp"

namespace holdfast {
namespace {

class RedisToken : public Lock {
 public:
  Answer acquire(Session& session, Claim& claim) override {
    const Reply set =
        session.execute("acquire", {{"key", claim.key}, {"owner", claim.owner}, {"ttl_ms", claim.lease_ms}});
    return set.affected > 0 ? Answer::granted() : Answer::busy();
  }

  Answer release(Session& session, Claim& claim) override {
    const Reply deleted = session.execute("release", {{"key", claim.key}, {"owner", claim.owner}});
    return deleted.affected > 0 ? Answer::done() : Answer::not_held();
  }
};

}  // namespace

extern const LockType lock_redis_token;
const LockType lock_redis_token{
    .server = "redis",
    .make = [] { return std::unique_ptr<Lock>(new RedisToken); },
};

}  // namespace holdfast
