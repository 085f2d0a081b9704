// Document 001 with its most visible flaw mended: the owner is unique to the process instead of the host's address.
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
    .about = "leader election as leader_version_cas, with an owner that is unique to the process",
    .document = "001, mended",
    .statements = "leader_version_cas",
    .renews = true,
    .releases = false,
    .make = [] { return std::unique_ptr<Lock>(new LeaderVersionCasUniqueOwner); },
};

}  // namespace holdfast
