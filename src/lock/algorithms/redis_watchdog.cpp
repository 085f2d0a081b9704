// Document 002, version 3: version 2, plus a thread that renews at every third of the lease all locks in the client's
// list of held locks. The document names no command; the simplest is PEXPIRE, which does not check the owner: a holder
// that was stopped prolongs its successor's lock. The document does not say what to do if there is nothing to prolong,
// so nothing is done.
#include "lock/redis_unlock.hpp"

namespace holdfast {
namespace {

class RedisWatchdog : public Lock {
 public:
  Answer acquire(Session& session, Claim& claim) override {
    const Reply set =
        session.execute("acquire", {{"key", claim.key}, {"value", claim.value}, {"ttl_ms", claim.lease_ms}});
    return set.affected > 0 ? Answer::granted() : Answer::busy();
  }
  Answer release(Session& session, Claim& claim) override { return unlock_whoever_holds(session, claim); }
  Answer background(Session& session, Claim& claim) override {
    const Reply prolonged = session.execute("renew", {{"key", claim.key}, {"ttl_ms", claim.lease_ms}});
    return prolonged.affected > 0 ? Answer::done() : Answer::not_held();
  }
};

}  // namespace

extern const LockType lock_redis_watchdog;
const LockType lock_redis_watchdog{
    .server = "redis",
    .renews_in_background = true,
    .make = [] { return std::unique_ptr<Lock>(new RedisWatchdog); },
};

}  // namespace holdfast
