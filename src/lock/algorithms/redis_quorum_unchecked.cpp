// redis_quorum without its clock, a common simplification: a client that has set a majority of the keys holds the lock,
// however long that took, and believes so until it releases.
#include "lock/quorum_lock.hpp"

namespace holdfast {
namespace {

class UncheckedQuorum : public QuorumLock {
  bool looks_at_clock() const override { return false; }
};

}  // namespace

extern const LockType lock_redis_quorum_unchecked;
const LockType lock_redis_quorum_unchecked{
    .server = "redis",
    .statements = "redis_quorum",
    .several_servers = true,
    .make = [] { return std::unique_ptr<Lock>(new UncheckedQuorum); },
};

}  // namespace holdfast
