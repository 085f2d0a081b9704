// Document 002, version 5, as its prose describes it: if SET NX is refused, it checks whether the *stored* value
// contains the server's id, and if so SET XX takes the lock again. Still three steps, each of which may find another
// client's lock, and still no count: the inner unlock frees the outer lock. All threads of a server are one holder.
#include "lock/redis_unlock.hpp"

namespace holdfast {
namespace {

class RedisReentrantStored : public Lock {
 public:
  Answer acquire(Session& session, Claim& claim) override {
    const std::string value = claim.server_id + claim.value;
    const Reply set = session.execute("acquire", {{"key", claim.key}, {"value", value}, {"ttl_ms", claim.lease_ms}});
    if (set.affected > 0) return Answer::granted();
    const Reply read = session.execute("read", {{"key", claim.key}});
    const std::string stored = read.rows.empty() ? "" : read.field(0, 0).value_or("");
    if (stored.find(claim.server_id) == std::string::npos) return Answer::busy();
    const Reply again = session.execute("reenter", {{"key", claim.key}, {"value", value}, {"ttl_ms", claim.lease_ms}});
    return again.affected > 0 ? Answer::granted() : Answer::busy();
  }
  Answer release(Session& session, Claim& claim) override { return unlock_by_server_id(session, claim); }
};

}  // namespace

extern const LockType lock_redis_reentrant_stored;
const LockType lock_redis_reentrant_stored{
    .server = "redis",
    .reentrant = true,
    .make = [] { return std::unique_ptr<Lock>(new RedisReentrantStored); },
};

}  // namespace holdfast
