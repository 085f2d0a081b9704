// Bug: taking the lock again writes the row anew and with it the count, 1. The inner release then frees what the outer
// code still holds. Story: A acquires, acquires again, releases the inner one: the row is gone; B acquires: both hold.
// No fault. Seen by explore (--reenter: two_holders) and by the generated suite (a load that enters again:
// lease_exclusion:algorithm).
#include "tests/planted/reentrant_row.hpp"
#include "tests/planted/row_lease.hpp"

namespace holdfast {
extern const LockType lock_reenter_count_reset;
const LockType lock_reenter_count_reset{
    .server = "mysql", .renews = true, .reentrant = true, .make = planted::make<planted::ReentrantRow>};

}  // namespace holdfast
