// Common part of the Redis locks of document 002: the unlock in two steps, a read and a deletion. Between the two the
// lock may have passed to another client.
#pragma once

#include "lock/lock.hpp"

namespace holdfast {

// Versions 1 to 3: deletes whatever value is there.
Answer unlock_whoever_holds(Session& session, const Claim& claim);

// Versions 4 and 5: deletes the value if it contains the program's own id.
Answer unlock_by_server_id(Session& session, const Claim& claim);

}  // namespace holdfast
