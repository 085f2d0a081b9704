// Bug: the renewal adds the lease to the expiry that is there, instead of counting it from now. Each renewal, a third
// of a lease after the last, moves the end by a whole one: when the holder dies the key stays locked for much longer
// than a lease. Story: A acquires and renews a few times, A is killed, B is refused for several leases. Seen by the
// generated suite (holds long enough to renew, then a kill: progress:stuck) and by explore, if the end of a lease is
// what was promised.
#include "tests/planted/row_lease.hpp"

namespace holdfast {
extern const LockType lock_expiry_extended;
const LockType lock_expiry_extended{.server = "mysql", .renews = true, .make = planted::make<planted::RowLease>};

}  // namespace holdfast
