// Document 002, version 4: the value begins with an id of the server (the program, not the thread), and the unlock
// deletes only values that contain it. The read and the deletion are still two steps, and two holders with the same id,
// which the constant in the document's code gives them, free each other's locks.
#include "lock/redis_unlock.hpp"

namespace holdfast {
namespace {

class RedisServerId : public Lock {
 public:
  Answer acquire(Session& session, Claim& claim) override {
    const Reply set = session.execute(
        "acquire", {{"key", claim.key}, {"value", claim.server_id + claim.value}, {"ttl_ms", claim.lease_ms}});
    return set.affected > 0 ? Answer::granted() : Answer::busy();
  }
  Answer release(Session& session, Claim& claim) override { return unlock_by_server_id(session, claim); }
};

}  // namespace

extern const LockType lock_redis_server_id;
const LockType lock_redis_server_id{
    .server = "redis",
    .make = [] { return std::unique_ptr<Lock>(new RedisServerId); },
};

}  // namespace holdfast
