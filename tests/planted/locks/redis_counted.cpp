// Sound: redis_lease with a token that a counter of the key gives out in the same script as the lock; the counter never
// expires. The client looks at a deadline that it counts from before it asked.
#include "artifact/units.hpp"
#include "tests/planted/redis_lease.hpp"
#include "tests/planted/row_lease.hpp"

namespace holdfast {
namespace {

class RedisCounted : public planted::RedisLease {
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

extern const LockType lock_redis_counted;
const LockType lock_redis_counted{
    .server = "redis", .renews = true, .fenced = true, .make = planted::make<RedisCounted>};

}  // namespace holdfast
