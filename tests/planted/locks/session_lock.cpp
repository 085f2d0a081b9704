// Sound: GET_LOCK waits up to two seconds for a name that is the key's hash, so that keys of any length and case have
// names of their own. It dies with its session, as every lock of this kind does.
#include "tests/planted/session_lock.hpp"
#include "tests/planted/row_lease.hpp"

namespace holdfast {
extern const LockType lock_session_lock;
const LockType lock_session_lock{
    .server = "mysql", .lease = false, .waits = true, .make = planted::make<planted::SessionLock>};

}  // namespace holdfast
