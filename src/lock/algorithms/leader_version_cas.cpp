// Document 001: leader election. Each tick reads the row with its age on the server's clock; a free or expired row is
// taken by a compare-and-set on its version (PROMOTED), the process's own row is kept alive (STAY; LEAVE if it is too
// old), and everything else is UNKNOWN. The owner is the host's IP address.
//
// Every process ticks once a second, leading or not, and a leader never leaves. A tick while not leading is an acquire,
// a tick while leading a renewal. The document does not say what a leader does at LEAVE or UNKNOWN; here it works in
// the ticks with PROMOTED or STAY, and stops leading after LEAVE or UNKNOWN. A failed tick is ignored, as printed. The
// starter inserts its own row; several starters may insert several.
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
    .server = "mysql",
    .renews = true,
    .releases = false,
    .whole_seconds = true,
    .tick_ms = 1000,
    .make = [] { return std::unique_ptr<Lock>(new LeaderVersionCas); },
};

}  // namespace holdfast
