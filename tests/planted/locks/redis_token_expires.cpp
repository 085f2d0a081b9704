// Bug: the counter that gives out the tokens gets an expiry of two leases, so that counters of old keys are not kept
// for ever. When a key is idle for so long, its tokens begin with 1 again, and the resource, which has seen larger
// ones, refuses the rightful holder. Story: A acquires (1) and releases, B acquires (2) and releases, nothing happens
// for two leases, A acquires: 1. No fault. Seen by explore (token_order) and by the generated suite (fencing), if the
// key is ever left alone.
#include "artifact/units.hpp"
#include "tests/planted/redis_lease.hpp"
#include "tests/planted/row_lease.hpp"

namespace holdfast {
namespace {

class RedisTokenExpires : public planted::RedisLease {
 public:
  Answer acquire(Session& session, Claim& claim) override {
    const std::int64_t deadline_ns = session.steady_ns() + claim.lease_ms * kMillisecond_ns;
    const Reply set = session.execute(
        "acquire",
        {{"key", claim.key}, {"counter", "token:" + claim.key}, {"owner", claim.owner}, {"ttl_ms", claim.lease_ms}});
    if (set.affected == 0) return Answer::busy();
    claim.token = static_cast<std::uint64_t>(set.affected);
    claim.deadline_ns = deadline_ns;
    return still_held(session, claim) ? Answer::granted(claim.token) : Answer::uncertain();
  }

  Answer renew(Session& session, Claim& claim) override {
    const std::int64_t deadline_ns = session.steady_ns() + claim.lease_ms * kMillisecond_ns;
    const Answer answer = RedisLease::renew(session, claim);
    if (answer.type == EventType::ok) claim.deadline_ns = deadline_ns;
    return answer;
  }

  bool still_held(Session& session, const Claim& claim) override { return session.steady_ns() < claim.deadline_ns; }
};

}  // namespace

extern const LockType lock_redis_token_expires;
const LockType lock_redis_token_expires{
    .server = "redis", .renews = true, .fenced = true, .make = planted::make<RedisTokenExpires>};

}  // namespace holdfast
