// Where a client finds the lock's server and the protected resource, and what the names of its tables and keys begin
// with there: in the lab, or on a server of the user's own.
#pragma once

#include <string>

#include "artifact/plan.hpp"
#include "client/client.hpp"
#include "store/mysql_connection.hpp"
#include "store/redis_connection.hpp"

namespace holdfast {

// `wait_ms`: how long a statement may lie at the server by design.
MySqlAddress lock_address(const ClientOptions& options, const Load& load, std::int64_t wait_ms);
RedisAddress redis_address(const ClientOptions& options, std::int64_t wait_ms);
MySqlAddress resource_address(const ClientOptions& options);

std::string key_prefix(const ClientOptions& options);
std::string table_prefix(const ClientOptions& options);

}  // namespace holdfast
