// A common first attempt: read the row, and if it is free or expired, write it, in one transaction at READ COMMITTED.
// The transaction does not exclude others: two clients read the same row, and the second's update waits for the
// first's, then applies to its result, because its condition is the key alone. Both are granted.
#include "lock/read_then_write.hpp"

namespace holdfast {

extern const LockType lock_postgres_read_then_write;
const LockType lock_postgres_read_then_write{
    .server = "postgres",
    .isolation = "read_committed",
    .make = [] { return std::unique_ptr<Lock>(new ReadThenWrite); },
};

}  // namespace holdfast
