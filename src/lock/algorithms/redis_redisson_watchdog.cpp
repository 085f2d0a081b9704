// Document 002 on Redisson, a library: a "watch dog" looks every 10 s, whatever the lease, and prolongs the lock if the
// client still holds it. The document's own version 3 (redis_watchdog) imitates it at every third of the lease.
//
// Its default lease of 30 s is from Redisson's own documentation. The document asks what becomes of leases shorter than
// 10 s, and leaves it open: they end before anybody looks.
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
    .about = "SET NX PX, and a watchdog that looks every 10 s and prolongs what its client still holds",
    .document = "002, of Redisson",
    .server = "redis",
    .renews_in_background = true,
    .watchdog_ms = 10'000,
    .texts = {.does =
                  "SET NX PX with a random value, and a thread that every 10 s, whatever the lease, prolongs the key "
                  "by a script if it still has the client's value. The unlock compares and deletes in one script.",
              .rules =
                  "002:53|the watchdog looks every 10 s\n"
                  "002:192|it prolongs the key if the client still holds it\n"
                  "002:194|a lease of less than 10 s ends before it looks; what to do then is left open\n"
                  "ours|a lease of 30 s where a scenario names none else: Redisson's own documentation has it as the "
                  "default\n"
                  "ours|the key is a string with a random value (Redisson keeps a hash that counts entries), set and "
                  "freed as `redis_token` does it: of all that the document says of Redisson only the watchdog "
                  "is tried here\n"
                  "ours|the job hears nothing of a renewal that failed",
              .flaws = "A lease shorter than the watchdog's 10 s ends under its holder, with no fault.\n"
                       "A watchdog that cannot reach the server tells nobody: the job outlives its lease.\n"
                       "After a stop of the process the job goes on, though the watchdog now finds another's value.\n"
                       "The key of a holder that died keeps the others out for what is left of its lease: with 30 s "
                       "up to half a minute.\n"
                       "The lease goes by the server's wall clock; a server without an append-only file forgets it "
                       "when killed.",
              .when = "No fault. The lease is 3 s, the work takes 5.",
              .worst = "SET NX PX 3000: granted; its watchdog will look in 10 s|\n"
                       "works|\n"
                       "|after 3 s SET NX PX 3000: granted\n"
                       "works on|works, as the holder\n"
                       "unlocks: the value is B's, nothing is deleted; only now it hears of it|works on",
              .instead =
                  "A lease of several times the watchdog's delay, a job that stops when a renewal fails, and for "
                  "what must not be damaged `fenced_lease`, with a resource that checks the token."},
    .make = [] { return std::unique_ptr<Lock>(new RedisRedissonWatchdog); },
};

}  // namespace holdfast
