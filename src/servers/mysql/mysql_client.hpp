// A client process's connection to the lock on MariaDB or MySQL.
#pragma once

#include <memory>

#include "servers/client_access.hpp"
#include "servers/mysql/mysql_connection.hpp"
#include "servers/statement_file.hpp"
#include "store/statement_connection.hpp"

namespace holdfast {

// For how long a client's statement waits for another's row lock: less than the connection's own time-out, since an
// answer is definite and a time-out is not.
inline constexpr unsigned kRowLockWait_s = 1;

// The limits that every client's session has, whatever it is for.
MySqlAddress with_client_limits(MySqlAddress address);

std::unique_ptr<StatementConnection> connect_mysql_client(const StatementFile& file, const ClientAccess& access);

}  // namespace holdfast
