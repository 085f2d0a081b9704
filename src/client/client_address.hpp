// Where a client finds the lock's server and the protected resource, and what the names of its tables and keys begin
// with there: in the lab, or on a server of the user's own.
#pragma once

#include <string>

#include "artifact/plan.hpp"
#include "client/client.hpp"
#include "store/mysql_connection.hpp"
#include "store/redis_connection.hpp"

namespace holdfast {

MySqlAddress lock_address(const ClientOptions& options, const Load& load);
RedisAddress redis_address(const ClientOptions& options);
MySqlAddress resource_address(const ClientOptions& options);

std::string key_prefix(const ClientOptions& options);
std::string table_prefix(const ClientOptions& options);

}  // namespace holdfast
