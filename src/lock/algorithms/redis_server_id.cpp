// Document 002, version 4: the value begins with an id of the server (the program, not the thread), and the unlock
// deletes only what contains it. The read and the deletion are still two steps, and two holders with one id, as the
// constant in the document's code gives them, free each other's locks.
#include "lock/redis_unlock.hpp"

namespace holdfast {
namespace {

class RedisServerId : public Lock {
 public:
  Answer acquire(Session& session, Claim& claim) override {
    const Reply set = session.execute(
        "acquire", {{"key", claim.key}, {"value", claim.server_id + claim.value}, {"ttl_ms", claim.lease_ms}});
    return set.affected > 0 ? Answer::granted() : Answer::busy();
  }
  Answer release(Session& session, Claim& claim) override { return unlock_by_server_id(session, claim); }
};

}  // namespace

extern const LockType lock_redis_server_id;
const LockType lock_redis_server_id{
    .about = "SET NX PX with the server's id in the value; the unlock reads, compares and deletes",
    .document = "002, version 4",
    .server = "redis",
    .texts = {.does = "SET NX PX with a value that begins with an id of the server, meaning the program. The "
                      "unlock reads the value, looks whether it contains the id, and deletes: two steps.",
              .rules = "002:209-210|the id is a constant of the program's configuration\n"
                       "002:223|the unlock asks whether the value contains the id\n"
                       "ours|each client has an id of its own, where a scenario does not say otherwise (`server_id`)",
              .flaws = "Between the read and the deletion the lock may have become another's.\n"
                       "All threads of a program, and all programs that were given the same constant, are one "
                       "owner.\n"
                       "A DEL that is late on the network deletes whatever is there when it arrives.",
              .when = "A is stopped inside its unlock, between GET and DEL, for longer than what is left of "
                      "its lease.",
              .worst = "SET NX PX: granted; works|\n"
                       "unlocks: GET contains its id|\n"
                       "is stopped|\n"
                       "|the lease is over; SET NX PX: granted; works\n"
                       "wakes; DEL deletes B's lock|\n"
                       "asks again, SET NX PX: granted|works on, as the holder",
              .instead = "`redis_token`: a value unique to the grant, and comparison and deletion in one script."},
    .make = [] { return std::unique_ptr<Lock>(new RedisServerId); },
};

}  // namespace holdfast
