// PostgreSQL with a lock's tables, for real waits (servers/real_waits.hpp). Database and sessions are its own. A
// deadlock lasts until the schedule names its victim: the server checks for deadlocks only after a while.
#pragma once

#include <memory>
#include <string>

#include "servers/real_waits.hpp"
#include "servers/stepped_store.hpp"

namespace holdfast {

std::unique_ptr<WaitingServer> pg_waits(const StoreSpec& spec, const std::string& host);

}  // namespace holdfast
