// MariaDB with a lock's tables, for real waits (servers/real_waits.hpp). Tables and sessions are its own.
#pragma once

#include <memory>
#include <string>

#include "servers/real_waits.hpp"
#include "servers/stepped_store.hpp"

namespace holdfast {

// `host`: an address, or the path of a socket.
std::unique_ptr<WaitingServer> mysql_waits(const StoreSpec& spec, const std::string& host);

}  // namespace holdfast
