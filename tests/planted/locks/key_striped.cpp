// Bug: the key is hashed to one of sixteen rows, "to keep the table small". Two keys of one stripe block each other,
// and re-entrant or nested locking of two of them deadlocks until a lease ends. Story: A holds k0, B asks for k9, which
// has the same stripe and which nobody holds, and is refused. No fault. Seen by the generated suite with several keys
// (progress:refused_free); explore has one key.
#include "tests/planted/row_lease.hpp"

namespace holdfast {
extern const LockType lock_key_striped;
const LockType lock_key_striped{.server = "mysql", .renews = true, .make = planted::make<planted::RowLease>};

}  // namespace holdfast
