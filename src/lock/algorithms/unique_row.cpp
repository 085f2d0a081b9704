// Document 002: a row with a unique order number is the lock; SELECT ... FOR UPDATE, then an insert; the release
// deletes by id. There is no expiry, as the document states: a dead holder's row stays. Each statement commits by
// itself, so the row lock of the locking read is gone when it returns.
#include "lock/unique_row.hpp"

namespace holdfast {

extern const LockType lock_unique_row;
const LockType lock_unique_row{
    .server = "mysql",
    .lease = false,
    .make = [] { return std::unique_ptr<Lock>(new UniqueRow); },
};

}  // namespace holdfast
