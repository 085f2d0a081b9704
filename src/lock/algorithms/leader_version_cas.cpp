// Document 001: leader election. Each tick reads the row with its age by the server's clock; a free or expired row is
// taken by a compare-and-set on its version (PROMOTED), one's own is kept alive (STAY; LEAVE when the row is too old),
// and everything else is UNKNOWN. The owner is the host's IP address.
//
// A tick while not leading is our acquire, a tick while leading our renew. The document demotes on LEAVE only: UNKNOWN,
// which is what an overtaken leader hears, changes nothing for it (`step_down: on_leave`). The starter inserts its own
// row; nothing keeps several starters from inserting several.
#include "lock/leader_tick.hpp"

namespace holdfast {
namespace {

class LeaderVersionCas : public LeaderLock {
 protected:
  std::string owner(Session& session, const Claim&) const override { return session.address(); }
};

}  // namespace

extern const LockType lock_leader_version_cas;
const LockType lock_leader_version_cas{
    .about = "leader election: compare-and-set on a version, the owner is the host's IP address",
    .document = "001",
    .renews = true,
    .releases = false,
    .make = [] { return std::unique_ptr<Lock>(new LeaderVersionCas); },
};

}  // namespace holdfast
