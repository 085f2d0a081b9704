// Bug: the renewal is a REPLACE, so that it also works when the row is gone. It brings back an expired row, and when
// another has taken the lock it takes it away again. Story: A acquires, A's lease ends, B acquires, A renews: both
// hold. Seen by explore (foreign_renew, two_holders) and by the generated suite (ownership:foreign_renew).
#include "tests/planted/row_lease.hpp"

namespace holdfast {
extern const LockType lock_renew_by_replace;
const LockType lock_renew_by_replace{.server = "mysql", .renews = true, .make = planted::make<planted::RowLease>};

}  // namespace holdfast
