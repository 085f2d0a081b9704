// Document 001 with its most visible flaw fixed: the owner is unique to the grant instead of the host's address.
#include "lock/leader_tick.hpp"

namespace holdfast {
namespace {

class LeaderVersionCasUniqueOwner : public LeaderLock {
 protected:
  std::string owner(Session&, const Claim& claim) const override { return claim.owner; }
};

}  // namespace

extern const LockType lock_leader_version_cas_unique_owner;
const LockType lock_leader_version_cas_unique_owner{
    .server = "mysql",
    .statements = "leader_version_cas",
    .renews = true,
    .releases = false,
    .whole_seconds = true,
    .tick_ms = 1000,
    .make = [] { return std::unique_ptr<Lock>(new LeaderVersionCasUniqueOwner); },
};

}  // namespace holdfast
