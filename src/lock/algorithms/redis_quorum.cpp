// Redlock, as Redis's documentation describes it: a majority of independent servers, within what is left of the lease.
#include "lock/quorum_lock.hpp"

namespace holdfast {

extern const LockType lock_redis_quorum;
const LockType lock_redis_quorum{
    .server = "redis",
    .several_servers = true,
    .make = [] { return std::unique_ptr<Lock>(new QuorumLock); },
};

}  // namespace holdfast
