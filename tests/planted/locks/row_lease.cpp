// Sound. Most bugs are planted in this one: see tests/planted/row_lease.hpp. Only the row's own owner prolongs or frees
// it, the server's clock alone decides, keys and owners are compared byte by byte.
#include "tests/planted/row_lease.hpp"

namespace holdfast {
extern const LockType lock_row_lease;
const LockType lock_row_lease{.server = "mysql", .renews = true, .make = planted::make<planted::RowLease>};

}  // namespace holdfast
