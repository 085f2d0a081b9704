// Bug: the release stands in a `finally` that is also come by when the lock was not got, and it deletes the key whoever
// holds it. Every refusal frees the holder's lock. Story: A acquires, B is refused and deletes A's key, B acquires:
// both hold. No fault. Seen by explore (two_holders) and by the generated suite (lease_exclusion:algorithm).
#include "tests/planted/redis_lease.hpp"
#include "tests/planted/row_lease.hpp"

namespace holdfast {
namespace {

class RedisFinallyDel : public planted::RedisLease {
 public:
  Answer acquire(Session& session, Claim& claim) override {
    const Answer answer = RedisLease::acquire(session, claim);
    if (answer.type != EventType::ok) session.execute("clear", {{"key", claim.key}});
    return answer;
  }
};

}  // namespace

extern const LockType lock_redis_finally_del;
const LockType lock_redis_finally_del{.server = "redis", .renews = true, .make = planted::make<RedisFinallyDel>};

}  // namespace holdfast
