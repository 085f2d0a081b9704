// The first table of document 000: no index on lock_key. Nothing makes a key unique, so no insert is refused, and every
// client is granted the lock. The document mentions inserts that timed out, but not this.
#include "lock/expiring_row.hpp"

namespace holdfast {

extern const LockType lock_insert_lease_no_index;
const LockType lock_insert_lease_no_index{
    .server = "mysql",
    .isolation = "read_committed",
    .make = [] { return std::unique_ptr<Lock>(new ExpiringRow); },
};

}  // namespace holdfast
