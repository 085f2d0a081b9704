// Document 002 on Redisson, a library: a "watch dog" runs every 10 s, whatever the lease, and prolongs the lock if the
// client still holds it. The document's own version 3 (redis_watchdog) imitates it at every third of the lease.
//
// The lease of 30 s in watchdog_30s is from Redisson's documentation. The document asks what happens to leases shorter
// than 10 s, without an answer: they end before the first renewal.
#include "lock/lock.hpp"

namespace holdfast {
namespace {

class RedisRedissonWatchdog : public Lock {
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
  Answer background(Session& session, Claim& claim) override {
    const Reply prolonged =
        session.execute("renew", {{"key", claim.key}, {"owner", claim.owner}, {"ttl_ms", claim.lease_ms}});
    return prolonged.affected > 0 ? Answer::done() : Answer::not_held();
  }
};

}  // namespace

extern const LockType lock_redis_redisson_watchdog;
const LockType lock_redis_redisson_watchdog{
    .server = "redis",
    .renews_in_background = true,
    .watchdog_ms = 10'000,
    .make = [] { return std::unique_ptr<Lock>(new RedisRedissonWatchdog); },
};

}  // namespace holdfast
