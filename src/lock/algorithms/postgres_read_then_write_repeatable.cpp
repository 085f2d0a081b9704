// postgres_read_then_write at REPEATABLE READ, with the same statements. There an update of a row that another
// transaction has changed since the snapshot is an error (40001), so the second of two is refused.
#include "lock/read_then_write.hpp"

namespace holdfast {

extern const LockType lock_postgres_read_then_write_repeatable;
const LockType lock_postgres_read_then_write_repeatable{
    .server = "postgres",
    .isolation = "repeatable_read",
    .make = [] { return std::unique_ptr<Lock>(new ReadThenWrite); },
};

}  // namespace holdfast
