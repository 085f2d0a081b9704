// Bug: the lease is given in milliseconds where the command takes seconds (EX for PX). While all is well nobody
// notices, since holders release; when one dies, its key stays for half an hour instead of two seconds. Story: A
// acquires, A is killed, B is refused long after A's lease. Seen by explore (stuck, A!crash) and by the generated suite
// (a kill of a holder: progress:stuck).
#include "tests/planted/redis_lease.hpp"
#include "tests/planted/row_lease.hpp"

namespace holdfast {
extern const LockType lock_redis_seconds_for_ms;
const LockType lock_redis_seconds_for_ms{.server = "redis", .make = planted::make<planted::RedisLease>};

}  // namespace holdfast
