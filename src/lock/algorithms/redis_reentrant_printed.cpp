// Document 002, version 5, as its code is printed: if SET NX is refused, it checks whether the *argument*, not the
// stored value, contains the server's id. A caller whose values contain the id, as the document advises elsewhere (its
// section 2.3), is then granted whichever client holds the lock: SET XX overwrites. A caller with other values can
// never re-enter. There is no count: the inner unlock frees the outer lock.
#include "lock/redis_unlock.hpp"

namespace holdfast {
namespace {

class RedisReentrantPrinted : public Lock {
 public:
  Answer acquire(Session& session, Claim& claim) override {
    const std::string value = claim.server_id + claim.value;
    const Reply set = session.execute("acquire", {{"key", claim.key}, {"value", value}, {"ttl_ms", claim.lease_ms}});
    if (set.affected > 0) return Answer::granted();
    if (claim.value.find(claim.server_id) == std::string::npos) return Answer::busy();
    const Reply again = session.execute("reenter", {{"key", claim.key}, {"value", value}, {"ttl_ms", claim.lease_ms}});
    return again.affected > 0 ? Answer::granted() : Answer::busy();
  }
  Answer release(Session& session, Claim& claim) override { return unlock_by_server_id(session, claim); }
};

}  // namespace

extern const LockType lock_redis_reentrant_printed;
const LockType lock_redis_reentrant_printed{
    .server = "redis",
    .reentrant = true,
    .make = [] { return std::unique_ptr<Lock>(new RedisReentrantPrinted); },
};

}  // namespace holdfast
