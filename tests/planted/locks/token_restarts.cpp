// Bug: the token lives in the lock's row, and the release deletes the row: the next grant begins with 1 again. The
// resource, which has seen larger ones, refuses the rightful holder, or takes a sleeper's old token for good. Story: A
// acquires (1), its lease ends, B acquires (2) and releases, A acquires: 1. No fault. Seen by explore (token_order) and
// by the generated suite (fencing).
#include "tests/planted/row_lease.hpp"
#include "tests/planted/token_row.hpp"

namespace holdfast {
extern const LockType lock_token_restarts;
const LockType lock_token_restarts{
    .server = "mysql", .renews = true, .fenced = true, .make = planted::make<planted::TokenRow>};

}  // namespace holdfast
