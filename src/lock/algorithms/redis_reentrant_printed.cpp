// Document 002, version 5, as its code is printed: where SET NX is refused, the *argument* is asked whether it contains
// the server's id, not the stored value. A caller whose values carry the id, as the document advises elsewhere (its
// section 2.3), is then let in whoever holds the lock: SET XX overwrites. A caller whose values do not can never
// re-enter. There is no count: the inner unlock frees the lock of the outer one.
#include "lock/redis_unlock.hpp"

namespace holdfast {
namespace {

class RedisReentrantPrinted : public Lock {
 public:
  Answer acquire(Session& session, Claim& claim) override {
    const std::string value = claim.server_id + claim.value;
    const Reply set = session.execute("acquire", {{"key", claim.key}, {"value", value}, {"ttl_ms", claim.lease_ms}});
    if (set.affected > 0) return Answer::granted();
    if (claim.value.find(claim.server_id) == std::string::npos) return Answer::busy();
    const Reply again = session.execute("reenter", {{"key", claim.key}, {"value", value}, {"ttl_ms", claim.lease_ms}});
    return again.affected > 0 ? Answer::granted() : Answer::busy();
  }
  Answer release(Session& session, Claim& claim) override { return unlock_by_server_id(session, claim); }
};

}  // namespace

extern const LockType lock_redis_reentrant_printed;
const LockType lock_redis_reentrant_printed{
    .about = "the server's id in the value; re-entry is decided by the argument, as printed",
    .document = "002, version 5 as printed",
    .server = "redis",
    .reentrant = true,
    .texts = {.does = "`redis_server_id` with re-entry as printed: where SET NX is refused, the client looks "
                      "whether its own *argument* contains its id, and if so overwrites by SET XX PX. The "
                      "stored value is not asked. There is no count.",
              .rules = "002:248-250|the argument is asked for the id, not the stored value\n"
                       "002:252|as printed it does not compile: lock() has no variable redisKey; ours takes its "
                       "key\n"
                       "002:258-268|a release frees the lock, however often it was entered\n"
                       "002:261|the unlock asks whether the value contains the id\n"
                       "ours|each client has an id of its own, where a scenario does not say otherwise (`server_id`)",
              .flaws = "A caller whose values carry the id, as the document advises elsewhere, is let in "
                       "whoever holds the lock.\n"
                       "A caller whose values do not carry it can never re-enter.\n"
                       "The inner unlock frees the outer lock; GET and DEL are two steps, as in "
                       "`redis_server_id`.",
              .when = "No fault: callers pass values that carry their own id.",
              .worst = "SET NX PX with \"A:A:1\": granted; works|\n"
                       "|SET NX PX with \"B:B:1\": refused\n"
                       "|its argument \"B:1\" contains its id \"B\": SET XX PX overwrites A's value: granted\n"
                       "works on|works, as the holder",
              .instead = "`redis_token`, and a count of entries in the process, around one grant."},
    .make = [] { return std::unique_ptr<Lock>(new RedisReentrantPrinted); },
};

}  // namespace holdfast
