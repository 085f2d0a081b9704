// Document 002, version 1: SETNX. The lock has no lease, so that a holder that dies keeps it for ever. The unlock
// reads, and deletes whatever it found: a second unlock of an earlier grant frees the lock of whoever holds it by then.
#include "lock/redis_unlock.hpp"

namespace holdfast {
namespace {

class RedisSetnx : public Lock {
 public:
  Answer acquire(Session& session, Claim& claim) override {
    const Reply set = session.execute("acquire", {{"key", claim.key}, {"value", claim.value}});
    return set.affected > 0 ? Answer::granted() : Answer::busy();
  }
  Answer release(Session& session, Claim& claim) override { return unlock_whoever_holds(session, claim); }
};

}  // namespace

extern const LockType lock_redis_setnx;
const LockType lock_redis_setnx{
    .about = "SETNX; the unlock reads and deletes; no lease",
    .document = "002, version 1",
    .server = "redis",
    .lease = false,
    .texts = {.does = "SETNX sets the key, or is refused. The unlock is a GET and, if that is not empty, a "
                      "DEL. There is no lease.",
              .rules = "002:160-162|an unlock of a key that is not there fails\n"
                       "002:164-166|an unlock that finds any value deletes the key\n"
                       "ours|the value is the grant's UUID, where a scenario gives none",
              .flaws = "A key without a lease stays for ever when its holder dies, when the reply to its grant "
                       "is lost, or when the unlock's GET fails.\n"
                       "The unlock deletes whatever it finds: one sent by somebody who does not hold the lock "
                       "frees it.\n"
                       "A server without an append-only file forgets the lock when it is killed.",
              .when = "The reply to A's attempt is lost, and A cleans up after itself.",
              .worst = "|SETNX: granted\n"
                       "SETNX: refused, but the reply is lost|\n"
                       "to be sure of leaving nothing behind unlocks: GET finds B's value, DEL deletes it|\n"
                       "SETNX: granted|\n"
                       "works, as the holder|works, as the holder",
              .instead = "`redis_token`: a lease, a value of one's own, and an unlock that compares and deletes "
                         "at once."},
    .make = [] { return std::unique_ptr<Lock>(new RedisSetnx); },
};

}  // namespace holdfast
