// MariaDB, stepped (stepped_store.hpp).
#pragma once

#include <memory>
#include <string>

#include "servers/stepped_store.hpp"

namespace holdfast {

// `host`: an address, or the path of a socket.
std::unique_ptr<SteppedStore> make_sql_store(const StoreSpec& spec, const std::string& host);

}  // namespace holdfast
