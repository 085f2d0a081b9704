// Bug: the value is the time at which the lock is over by its holder's clock; who finds it past sets its own with
// GETSET and looks whether it got what it read. The clocks are the clients' own: one that is ahead takes the lock from
// its holder. (The recipe is older than SET NX PX and still copied.) Story: A acquires, B, whose clock is ahead, finds
// it past and sets its own: both hold. Seen by explore (two_holders, B!ahead) and by the generated suite
// (lease_exclusion:client_skew).
#include "artifact/units.hpp"
#include "tests/planted/redis_lease.hpp"
#include "tests/planted/row_lease.hpp"

namespace holdfast {
namespace {

class RedisGetsetTimestamp : public planted::RedisLease {
 public:
  Answer acquire(Session& session, Claim& claim) override {
    const std::int64_t now_ms = session.now_ns() / kMillisecond_ns;
    const std::int64_t until_ms = now_ms + claim.lease_ms + 1;
    claim.value = std::to_string(until_ms) + " " + claim.owner;
    if (session.execute("acquire", {{"key", claim.key}, {"value", claim.value}}).affected > 0) return Answer::granted();
    const Reply seen = session.execute("read", {{"key", claim.key}});
    if (seen.rows.empty() || std::stoll(seen.field(0, 0).value()) >= now_ms) return Answer::busy();
    const Reply before = session.execute("replace", {{"key", claim.key}, {"value", claim.value}});
    return before.rows == seen.rows ? Answer::granted() : Answer::busy();
  }

  Answer release(Session& session, Claim& claim) override {
    return planted::own(session.execute("release", {{"key", claim.key}, {"owner", claim.value}}));
  }
};

}  // namespace

extern const LockType lock_redis_getset_timestamp;
const LockType lock_redis_getset_timestamp{.server = "redis", .make = planted::make<RedisGetsetTimestamp>};

}  // namespace holdfast
