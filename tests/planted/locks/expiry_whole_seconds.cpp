// Bug: the expiry's column is a DATETIME without fractions, while the lease is counted in microseconds: the server cuts
// off the fraction, so that a lease may end up to a second early. Story: at 12:00:00.4 A acquires for 2 s, at 12:00:02
// B deletes the row, which says 12:00:02, and acquires: both hold. No fault. Seen by explore (two_holders) and by the
// generated suite (lease_exclusion:algorithm), with holds that come near the lease's end.
#include "tests/planted/row_lease.hpp"

namespace holdfast {
extern const LockType lock_expiry_whole_seconds;
const LockType lock_expiry_whole_seconds{.server = "mysql", .renews = true, .make = planted::make<planted::RowLease>};

}  // namespace holdfast
