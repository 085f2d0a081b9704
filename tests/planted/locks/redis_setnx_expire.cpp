// Bug: SETNX takes the key, and a second command gives it its lease. A client that dies between the two leaves a key
// that never expires. Story: A sets, A crashes; B is refused for ever. Seen by explore (stuck, A!crash) and by the
// generated suite (a kill between the commands: progress:stuck).
#include "tests/planted/redis_lease.hpp"
#include "tests/planted/row_lease.hpp"

namespace holdfast {
namespace {

class RedisSetnxExpire : public planted::RedisLease {
 public:
  Answer acquire(Session& session, Claim& claim) override {
    const Reply set = session.execute("acquire", {{"key", claim.key}, {"owner", claim.owner}});
    if (set.affected == 0) return Answer::busy();
    session.execute("expire", {{"key", claim.key}, {"ttl_ms", claim.lease_ms}});
    return Answer::granted();
  }
};

}  // namespace

extern const LockType lock_redis_setnx_expire;
const LockType lock_redis_setnx_expire{.server = "redis", .renews = true, .make = planted::make<RedisSetnxExpire>};

}  // namespace holdfast
