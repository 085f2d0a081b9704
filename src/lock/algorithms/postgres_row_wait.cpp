// A row is the lock: SELECT ... FOR UPDATE in a transaction that stays open while it is held. If another client holds
// it, the server waits up to lock_timeout (here 1 s) and then returns an error (55P03).
#include "lock/held_row.hpp"

namespace holdfast {

extern const LockType lock_postgres_row_wait;
const LockType lock_postgres_row_wait{
    .server = "postgres",
    .lease = false,
    .waits = true,
    .waits_ms = 1000,
    .isolation = "read_committed",
    .make = [] { return std::unique_ptr<Lock>(new HeldRow); },
};

}  // namespace holdfast
