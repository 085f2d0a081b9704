// Document 000's lock on PostgreSQL: a row is the lock, its owner a fresh UUID, its expiry the server's now() plus the
// lease; a duplicate key is a refusal. An attempt (deleting the expired row, then the insert) is a transaction of its
// own at READ COMMITTED.
//
// Differences from the original come from the server: now() is the time when the transaction began, not the statement;
// and the duplicate key aborts the transaction, so the COMMIT after it is answered without an error but rolls back.
#include "lock/expiring_row.hpp"

namespace holdfast {

extern const LockType lock_postgres_insert_lease;
const LockType lock_postgres_insert_lease{
    .server = "postgres",
    .isolation = "read_committed",
    .make = [] { return std::unique_ptr<Lock>(new ExpiringRow); },
};

}  // namespace holdfast
