// Bug: the renewal is SET XX with the own value: it asks that the key is there, not whose it is. A holder whose lease
// is over takes the lock from its successor and goes on. Story: A acquires, A's lease ends, B acquires, A renews: both
// hold. Seen by explore (foreign_renew, two_holders) and, with a holder stopped before it renews, by the generated
// suite (ownership:foreign_renew).
#include "tests/planted/redis_lease.hpp"
#include "tests/planted/row_lease.hpp"

namespace holdfast {
extern const LockType lock_redis_renew_set_xx;
const LockType lock_redis_renew_set_xx{.server = "redis", .renews = true, .make = planted::make<planted::RedisLease>};

}  // namespace holdfast
