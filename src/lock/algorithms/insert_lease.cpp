// Document 000 with its own correction: a row is the lock. Its owner is a fresh UUID, its expiry the server's NOW()
// plus the lease; a duplicate key is a refusal. An attempt (deleting the expired row, then the insert) is a transaction
// of its own at READ COMMITTED.
#include "lock/expiring_row.hpp"

namespace holdfast {

extern const LockType lock_insert_lease;
const LockType lock_insert_lease{
    .server = "mysql",
    .isolation = "read_committed",
    .make = [] { return std::unique_ptr<Lock>(new ExpiringRow); },
};

}  // namespace holdfast
