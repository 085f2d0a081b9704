// Redlock, as in Redis's documentation: a majority of independent servers, within the remaining lease.
#include "lock/quorum_lock.hpp"

namespace holdfast {

extern const LockType lock_redis_quorum;
const LockType lock_redis_quorum{
    .server = "redis",
    .several_servers = true,
    .make = [] { return std::unique_ptr<Lock>(new QuorumLock); },
};

}  // namespace holdfast
