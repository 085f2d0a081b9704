// How the explorer's sessions reach its MariaDB, and tell it the time.
#pragma once

#include <cstdint>
#include <string>

#include "servers/mysql/mysql_connection.hpp"
#include "servers/stepped_store.hpp"

namespace holdfast {

// `host`: an address, or the path of a socket. `first_statement`: of each session.
MySqlAddress sql_address(const StoreSpec& spec, const std::string& host, const std::string& database,
                         const std::string& first_statement);

// A client's session: that, and the isolation level that is the lock's own.
std::string first_of_client(const StoreSpec& spec, const std::string& first_statement);

// "SET timestamp = 1893499200.400000; ", for the statement that follows.
std::string time_setting(std::int64_t time_us);

}  // namespace holdfast
