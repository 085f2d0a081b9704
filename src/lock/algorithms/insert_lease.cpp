// Document 000: a row is the lock. Its owner is a fresh UUID, its expiry is the server's NOW() plus the lease; a
// duplicate key is a refusal. An expired row is deleted before each attempt; each statement is a transaction of its
// own.
#include "lock/expiring_row.hpp"

namespace holdfast {

extern const LockType lock_insert_lease;
const LockType lock_insert_lease{
    .about = "a row with a UUID and the server's expiry; the expired row is deleted before each attempt",
    .document = "000",
    .make = [] { return std::unique_ptr<Lock>(new ExpiringRow); },
};

}  // namespace holdfast
