// Bug: the key's column has a collation that compares without regard to case and trailing blanks. Two keys that the
// application tells apart are one row, and block each other. Story: A holds "Orders", B asks for "orders", which nobody
// holds, and is refused. No fault. Seen by the generated suite with keys that differ in case or blanks
// (progress:refused_free); explore has one key.
#include "tests/planted/row_lease.hpp"

namespace holdfast {
extern const LockType lock_key_collation;
const LockType lock_key_collation{.server = "mysql", .renews = true, .make = planted::make<planted::RowLease>};

}  // namespace holdfast
