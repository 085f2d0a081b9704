// Document 000, the table that it began with: no index on lock_key. Nothing makes a key unique, so no insert is ever
// refused, and everybody is let in. The document tells of inserts that timed out, not of that.
#include "lock/expiring_row.hpp"

namespace holdfast {

extern const LockType lock_insert_lease_no_index;
const LockType lock_insert_lease_no_index{
    .server = "mysql",
    .isolation = "read_committed",
    .make = [] { return std::unique_ptr<Lock>(new ExpiringRow); },
};

}  // namespace holdfast
