// A row is the lock: SELECT ... FOR UPDATE NOWAIT in a transaction that stays open while it is held. If another client
// holds it, the refusal is an immediate error (55P03).
#include "lock/held_row.hpp"

namespace holdfast {

extern const LockType lock_postgres_row_nowait;
const LockType lock_postgres_row_nowait{
    .server = "postgres",
    .lease = false,
    .isolation = "read_committed",
    .make = [] { return std::unique_ptr<Lock>(new HeldRow); },
};

}  // namespace holdfast
