// What many write first: read the row, and if it is free or its time is over, write it, in one transaction at READ
// COMMITTED. The transaction keeps nobody out: two read the same row, and the second's update waits for the first's,
// then goes on on what that left, for its condition is the key alone. Both are granted.
#include "lock/read_then_write.hpp"

namespace holdfast {

extern const LockType lock_postgres_read_then_write;
const LockType lock_postgres_read_then_write{
    .server = "postgres",
    .isolation = "read_committed",
    .make = [] { return std::unique_ptr<Lock>(new ReadThenWrite); },
};

}  // namespace holdfast
