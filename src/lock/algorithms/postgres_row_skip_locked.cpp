// A row is the lock: SELECT ... FOR UPDATE SKIP LOCKED in a transaction that stays open while it is held. If another
// client holds it, the refusal is an empty result.
#include "lock/held_row.hpp"

namespace holdfast {

extern const LockType lock_postgres_row_skip_locked;
const LockType lock_postgres_row_skip_locked{
    .server = "postgres",
    .lease = false,
    .isolation = "read_committed",
    .make = [] { return std::unique_ptr<Lock>(new HeldRow); },
};

}  // namespace holdfast
