// A common implementation: an object created if absent, with the end of its lease by the store's clock. A renewal and a
// take-over name the ETag that they replace, the release the ETag that it deletes.
#include "lock/object_lease.hpp"

namespace holdfast {

extern const LockType lock_s3_store_clock;
const LockType lock_s3_store_clock{
    .server = "s3",
    .renews = true,
    .whole_seconds = true,
    .guard_ms = 5000,  // dates of whole seconds, which a store may give a second late, when written and when compared
    .make = [] { return std::unique_ptr<Lock>(new ObjectLease); },
};

}  // namespace holdfast
