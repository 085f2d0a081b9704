// Sound: in one transaction the row is read FOR UPDATE, and inserted or taken over by what was read; the key is unique.
#include "tests/planted/read_then_write.hpp"

namespace holdfast {
extern const LockType lock_locked_read;
const LockType lock_locked_read{.server = "mysql", .renews = true, .make = planted::make<planted::ReadThenWrite>};

}  // namespace holdfast
