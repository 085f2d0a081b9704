// Bug: the release gets the value, compares it in the program and then deletes the key. Between the two the lease may
// end and another may take the lock. Story: A reads its own value, A's lease ends, B acquires, A deletes. Seen by
// explore (foreign_release) and, by a pause between the two commands, by the generated suite
// (ownership:foreign_release).
#include "tests/planted/redis_lease.hpp"
#include "tests/planted/row_lease.hpp"

namespace holdfast {
namespace {

class RedisCheckThenDel : public planted::RedisLease {
 public:
  Answer release(Session& session, Claim& claim) override {
    const Reply seen = session.execute("read", {{"key", claim.key}});
    if (seen.rows.empty() || seen.field(0, 0) != claim.owner) return Answer::not_held();
    return planted::own(session.execute("release", {{"key", claim.key}}));
  }
};

}  // namespace

extern const LockType lock_redis_check_then_del;
const LockType lock_redis_check_then_del{.server = "redis", .renews = true, .make = planted::make<RedisCheckThenDel>};

}  // namespace holdfast
