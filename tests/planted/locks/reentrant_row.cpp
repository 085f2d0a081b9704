// Sound: a lock that its owner may take again, see tests/planted/reentrant_row.hpp. The owner is one per grant,
// compared byte by byte, and what was taken twice is gone when it was given back twice.
#include "tests/planted/reentrant_row.hpp"
#include "tests/planted/row_lease.hpp"

namespace holdfast {
extern const LockType lock_reentrant_row;
const LockType lock_reentrant_row{
    .server = "mysql", .renews = true, .reentrant = true, .make = planted::make<planted::ReentrantRow>};

}  // namespace holdfast
