// Document 004's yardstick: SET NX PX with a random value, freed by a script that compares and deletes at once. It can
// neither free nor prolong what is another's. No renewal, no fencing: a holder that overruns its lease does not know.
#include "lock/lock.hpp"

namespace holdfast {
namespace {

class RedisToken : public Lock {
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
};

}  // namespace

extern const LockType lock_redis_token;
const LockType lock_redis_token{
    .about = "SET NX PX with a random value; a script compares it and deletes",
    .document = "004",
    .server = "redis",
    .texts = {.does = "SET NX PX with a random value. A script on the server compares the value and deletes "
                      "the key at once, so that a client can free only what is its own.",
              .rules = "004:38|a random value, and a lease of 30 s in the document; here the scenario's\n"
                       "004:40|one script compares and deletes",
              .flaws = "A holder that outlives its lease is not told, and the resource accepts its write.\n"
                       "The lease goes by the server's wall clock: a jump forward ends it early.\n"
                       "A server without an append-only file forgets the lock when killed; a replica that is "
                       "promoted before the lock reached it never knew it.",
              .when = "A is stopped for longer than its lease of 2 s.",
              .worst = "SET NX PX 2000: granted; reads 7 from the resource|\n"
                       "is stopped|\n"
                       "|after 2 s SET NX PX: granted; reads 7, writes 8\n"
                       "wakes, writes 8: accepted, so B's write is lost|\n"
                       "unlocks: the script finds B's value and deletes nothing|",
              .instead = "The best of the locks on Redis here: use it where a second holder costs work, not data. "
                         "Else `fenced_lease`, with a resource that checks the token."},
    .make = [] { return std::unique_ptr<Lock>(new RedisToken); },
};

}  // namespace holdfast
