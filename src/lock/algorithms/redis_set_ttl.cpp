// Document 002, version 2: SET NX PX, a lock with a lease. The unlock is version 1's: a holder that outlived its lease
// deletes its successor's lock.
#include "lock/redis_unlock.hpp"

namespace holdfast {
namespace {

class RedisSetTtl : public Lock {
 public:
  Answer acquire(Session& session, Claim& claim) override {
    const Reply set =
        session.execute("acquire", {{"key", claim.key}, {"value", claim.value}, {"ttl_ms", claim.lease_ms}});
    return set.affected > 0 ? Answer::granted() : Answer::busy();
  }
  Answer release(Session& session, Claim& claim) override { return unlock_whoever_holds(session, claim); }
};

}  // namespace

extern const LockType lock_redis_set_ttl;
const LockType lock_redis_set_ttl{
    .about = "SET NX PX; the unlock reads and deletes, whoever holds it",
    .document = "002, version 2",
    .server = "redis",
    .texts = {.does = "SET NX PX: the key with a lease, in one command. The unlock is still a GET and a DEL "
                      "that compare nothing.",
              .rules = "002:182|the key is set with a lease\n"
                       "ours|the unlock is version 1's: the document prints none here",
              .flaws = "A holder that outlives its lease deletes its successor's lock, and the successor then "
                       "deletes the next one's: a chain.\n"
                       "A DEL that is late on the network deletes whatever is there when it arrives.\n"
                       "The lease goes by the server's wall clock; a server without an append-only file forgets "
                       "it when killed.",
              .when = "A is stopped for longer than its lease of 2 s.",
              .worst = "SET NX PX 2000: granted|\n"
                       "is stopped|\n"
                       "|after 2 s SET NX PX: granted; works\n"
                       "wakes; unlocks: GET is not empty, DEL deletes B's lock|works on\n"
                       "asks again, SET NX PX: granted|works on, as the holder\n"
                       "|unlocks, and so deletes A's lock; the next one is let in",
              .instead = "`redis_token`: its script deletes only what is its own."},
    .make = [] { return std::unique_ptr<Lock>(new RedisSetTtl); },
};

}  // namespace holdfast
