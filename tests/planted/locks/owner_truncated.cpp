// Bug: the owner's column has sixteen characters, and the statements cut the owner to fit. Owners that begin alike,
// such as host and process with a number at the end, are one owner: each is let in as if it took its own lock again.
// Story: A (worker-eu-west-1-000001) holds, B (worker-eu-west-1-000002) acquires: both hold. No fault. Seen by the
// generated suite with owners that differ only after the sixteenth character (lease_exclusion:algorithm); explore's
// owners are short.
#include "tests/planted/reentrant_row.hpp"
#include "tests/planted/row_lease.hpp"

namespace holdfast {
extern const LockType lock_owner_truncated;
const LockType lock_owner_truncated{
    .server = "mysql", .renews = true, .reentrant = true, .make = planted::make<planted::ReentrantRow>};

}  // namespace holdfast
