// Document 003 as printed: SELECT ... FOR UPDATE NOWAIT, then an insert or takeover; expiry on the client's clock. No
// transaction is opened, so each statement commits by itself, and the row lock of the SELECT is gone when it returns.
#include "lock/nowait_row.hpp"

namespace holdfast {

extern const LockType lock_nowait_lease;
const LockType lock_nowait_lease{
    .server = "mysql",
    .make = [] { return std::unique_ptr<Lock>(new NowaitRow); },
};

}  // namespace holdfast
