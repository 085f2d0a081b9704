// Bug: the owner's column has the usual collation, which compares without regard to case and trailing blanks. Owners of
// random letters that differ only in case are one owner. Story: A (a1Xy) holds, B (a1xY) acquires as if it took its own
// lock again: both hold. No fault. Seen by the generated suite with owners that differ only in case or blanks
// (lease_exclusion:algorithm); explore's owners differ otherwise.
#include "tests/planted/reentrant_row.hpp"
#include "tests/planted/row_lease.hpp"

namespace holdfast {
extern const LockType lock_owner_collation;
const LockType lock_owner_collation{
    .server = "mysql", .renews = true, .reentrant = true, .make = planted::make<planted::ReentrantRow>};

}  // namespace holdfast
