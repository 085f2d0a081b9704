// Bug: the renewal asks for the key and not for the owner. A holder whose lease is over prolongs its successor's lock
// and goes on working, taking it for its own. Story: A acquires, A's lease ends, B acquires, A renews. Seen by explore
// (foreign_renew, two_holders) and, with a holder stopped before it renews, by the generated suite
// (ownership:foreign_renew).
#include "tests/planted/row_lease.hpp"

namespace holdfast {
extern const LockType lock_renew_any_owner;
const LockType lock_renew_any_owner{.server = "mysql", .renews = true, .make = planted::make<planted::RowLease>};

}  // namespace holdfast
