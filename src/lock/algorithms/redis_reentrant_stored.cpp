// Document 002, version 5, as its prose has it: where SET NX is refused, the *stored* value is asked whether it
// contains the server's id, and if so SET XX takes the lock again. Still three steps, any of which may find another's
// lock, and still no count: the inner unlock frees the lock of the outer one. All threads of a server are one holder.
#include "lock/redis_unlock.hpp"

namespace holdfast {
namespace {

class RedisReentrantStored : public Lock {
 public:
  Answer acquire(Session& session, Claim& claim) override {
    const std::string value = claim.server_id + claim.value;
    const Reply set = session.execute("acquire", {{"key", claim.key}, {"value", value}, {"ttl_ms", claim.lease_ms}});
    if (set.affected > 0) return Answer::granted();
    const Reply read = session.execute("read", {{"key", claim.key}});
    const std::string stored = read.rows.empty() ? "" : read.field(0, 0).value_or("");
    if (stored.find(claim.server_id) == std::string::npos) return Answer::busy();
    const Reply again = session.execute("reenter", {{"key", claim.key}, {"value", value}, {"ttl_ms", claim.lease_ms}});
    return again.affected > 0 ? Answer::granted() : Answer::busy();
  }
  Answer release(Session& session, Claim& claim) override { return unlock_by_server_id(session, claim); }
};

}  // namespace

extern const LockType lock_redis_reentrant_stored;
const LockType lock_redis_reentrant_stored{
    .about = "the server's id in the value; re-entry is decided by the stored value, as the prose means",
    .document = "002, version 5 as meant",
    .server = "redis",
    .reentrant = true,
    .texts = {.does = "`redis_server_id` with re-entry as the prose means it: where SET NX is refused, the "
                      "client reads the *stored* value, and if that contains its id, overwrites by SET XX PX. "
                      "There is no count.",
              .rules = "002:73|the key and the client are the same: the stored value is asked\n"
                       "002:258-268|a release frees the lock, however often it was entered\n"
                       "002:261|the unlock asks whether the value contains the id\n"
                       "ours|the read of the stored value, which the printed code does not have\n"
                       "ours|each client has an id of its own, where a scenario does not say otherwise (`server_id`)",
              .flaws = "There is no count: the inner unlock deletes the lock, and the outer job goes on without "
                       "it.\n"
                       "All threads of a program, and all programs with one id, are one holder: none of them is "
                       "ever refused.\n"
                       "SET NX, GET and SET XX are three steps, GET and DEL two: in between the lock may become "
                       "another's.",
              .when = "No fault: A's job calls a part of itself that takes the lock again.",
              .worst = "SET NX PX: granted; the outer job begins|\n"
                       "SET NX refused, GET contains its id, SET XX: granted again|\n"
                       "the inner part is done: GET contains its id, DEL|\n"
                       "|SET NX PX: granted\n"
                       "the outer job works on|works, as the holder",
              .instead = "`redis_token`, and a count of entries in the process, around one grant."},
    .make = [] { return std::unique_ptr<Lock>(new RedisReentrantStored); },
};

}  // namespace holdfast
