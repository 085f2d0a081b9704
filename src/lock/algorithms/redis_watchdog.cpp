// Document 002, version 3: version 2, and another thread that renews at every third of the lease what the client has in
// its list of held locks. The document names no command; the plain one is PEXPIRE, which asks for no owner: a holder
// that was stopped prolongs its successor's lock. The document does not say what to do when there is nothing to
// prolong, so nothing is done.
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
    .about = "SET NX PX, and a thread that prolongs it at every third of the lease, whoever holds it",
    .document = "002, version 3",
    .server = "redis",
    .renews_in_background = true,
    .texts = {.does = "`redis_set_ttl`, and a thread that prolongs the key by PEXPIRE at every third of the "
                      "lease for as long as the client has the lock in its list. PEXPIRE asks for no owner, "
                      "and the job is not told what it answered.",
              .rules = "002:199|another thread renews at every third of the lease what the client has in its list\n"
                       "ours|the plain command, which asks for no owner: the document names none\n"
                       "ours|nothing is done when there is nothing to prolong, and the job is not told\n"
                       "ours|the key is set as in version 2, and freed as in version 1",
              .flaws = "After a stop of the process the watchdog prolongs a successor's lock and takes that for "
                       "its own.\n"
                       "A watchdog that cannot reach the server tells nobody: the job outlives its lease.\n"
                       "The unlock compares nothing, as in `redis_set_ttl`.",
              .when = "A's process, watchdog and all, is stopped for longer than its lease of 2 s.",
              .worst = "SET NX PX 2000: granted; the watchdog runs|\n"
                       "is stopped|\n"
                       "|after 2 s SET NX PX: granted; works\n"
                       "wakes; its watchdog's PEXPIRE finds the key and prolongs B's lock: \"still held\"|works\n"
                       "works on|works on\n"
                       "unlocks: GET, DEL: B's lock is gone, a third client is let in|works on, as the holder",
              .instead = "`redis_token` with a lease longer than the work. A watchdog must compare the value and "
                         "prolong in one script, and must stop the job when it fails; against a stopped process "
                         "only a token that the resource checks helps: `fenced_lease`."},
    .make = [] { return std::unique_ptr<Lock>(new RedisWatchdog); },
};

}  // namespace holdfast
