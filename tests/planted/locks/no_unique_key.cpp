// Bug: the key's column has an index that is not unique; the locking read is trusted to keep others out. Under
// REPEATABLE READ its gap lock does, by a deadlock; under READ COMMITTED there is none, and two clients that find no
// row both insert one. Story: A and B, in READ COMMITTED, read no row FOR UPDATE; A inserts and commits; B inserts and
// commits: both hold. No fault. Seen by the generated suite with isolation levels (a pause after the read:
// lease_exclusion); explore has one isolation level.
#include "tests/planted/read_then_write.hpp"

namespace holdfast {
extern const LockType lock_no_unique_key;
const LockType lock_no_unique_key{.server = "mysql", .renews = true, .make = planted::make<planted::ReadThenWrite>};

}  // namespace holdfast
