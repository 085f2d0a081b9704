// What the Redis locks of document 002 share: the unlock in two steps, a read and a deletion. Between the two the lock
// may have passed to somebody else.
#pragma once

#include "lock/lock.hpp"

namespace holdfast {

// Versions 1 to 3: whatever is there is deleted.
Answer unlock_whoever_holds(Session& session, const Claim& claim);

// Versions 4 and 5: it is deleted if the value contains the program's own id.
Answer unlock_by_server_id(Session& session, const Claim& claim);

}  // namespace holdfast
