// Bug: the expiry is NOW() in a DATETIME, which has no zone: it is the session's own. A client whose session runs in a
// zone to the east takes every lease for over, one to the west finds locks held for hours. Story: A (UTC) acquires, B
// (+02:00) deletes A's row and acquires: both hold. No fault. Seen by the generated suite with sessions of several
// zones (lease_exclusion:algorithm); explore's sessions have one zone.
#include "tests/planted/row_lease.hpp"

namespace holdfast {
extern const LockType lock_session_zone;
const LockType lock_session_zone{.server = "mysql", .renews = true, .make = planted::make<planted::RowLease>};

}  // namespace holdfast
