// Bug: the release deletes by the key alone. A holder that comes late frees its successor's lock, and a third client
// gets in. Story: A acquires, A's lease ends, B acquires, A releases. Seen by explore (foreign_release) and, with a
// holder stopped for longer than its lease, by the generated suite (ownership:foreign_release).
#include "tests/planted/row_lease.hpp"

namespace holdfast {
extern const LockType lock_release_by_key;
const LockType lock_release_by_key{.server = "mysql", .renews = true, .make = planted::make<planted::RowLease>};

}  // namespace holdfast
