// Bug: the lock is set by one command and the token drawn by the next, and the grant is not measured against the
// client's deadline. A client that is stopped between the two draws the newest token for a lease that is over. Story:
// A's key is set, A's lease ends, B acquires with token 1, A draws 2. The resource takes A's writes, and refuses those
// of B, who holds the lock. Seen by explore (token_order) and by the generated suite (a pause before the second
// command: fencing).
#include "tests/planted/redis_lease.hpp"
#include "tests/planted/row_lease.hpp"

namespace holdfast {
namespace {

class RedisTokenDrawnLater : public planted::RedisLease {
 public:
  Answer acquire(Session& session, Claim& claim) override {
    const Answer set = RedisLease::acquire(session, claim);
    if (set.type != EventType::ok) return set;
    const Reply drawn = session.execute("token", {{"counter", "token:" + claim.key}});
    claim.token = static_cast<std::uint64_t>(drawn.affected);
    return Answer::granted(claim.token);
  }
};

}  // namespace

extern const LockType lock_redis_token_drawn_later;
const LockType lock_redis_token_drawn_later{
    .server = "redis", .renews = true, .fenced = true, .make = planted::make<RedisTokenDrawnLater>};

}  // namespace holdfast
