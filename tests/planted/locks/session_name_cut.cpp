// Bug: the name of a session lock has at most 64 characters, so the program cuts what it makes of the application's
// name and the key. Keys that begin alike are one lock, and so are keys that differ only in case, which the server does
// not look at. Story: A holds a key, B waits for another with the same beginning, which nobody holds, and is refused.
// No fault. Seen by the generated suite with keys that differ only in case, or far to the right
// (progress:refused_free); explore has one key.
#include "tests/planted/row_lease.hpp"
#include "tests/planted/session_lock.hpp"

namespace holdfast {
extern const LockType lock_session_name_cut;
const LockType lock_session_name_cut{.about = "bug: the name of the session lock is cut",
                                     .document = "planted",
                                     .lease = false,
                                     .waits = true,
                                     .make = planted::make<planted::SessionLock>};

}  // namespace holdfast
