// Sound: SET NX PX with a random value; scripts compare it before they prolong or delete.
#include "tests/planted/redis_lease.hpp"
#include "tests/planted/row_lease.hpp"

namespace holdfast {
extern const LockType lock_redis_lease;
const LockType lock_redis_lease{.server = "redis", .renews = true, .make = planted::make<planted::RedisLease>};

}  // namespace holdfast
