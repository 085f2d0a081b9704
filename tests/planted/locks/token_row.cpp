// Sound: a lease with a fencing token, see tests/planted/token_row.hpp. The row is never deleted, so that the token
// rises with each grant, and it is read back only where the row is the client's own.
#include "tests/planted/token_row.hpp"
#include "tests/planted/row_lease.hpp"

namespace holdfast {
extern const LockType lock_token_row;
const LockType lock_token_row{
    .server = "mysql", .renews = true, .fenced = true, .make = planted::make<planted::TokenRow>};

}  // namespace holdfast
