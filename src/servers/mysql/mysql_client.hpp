// A client process's connection to the lock on MariaDB or MySQL.
#pragma once

#include <memory>

#include "servers/client_access.hpp"
#include "servers/mysql/mysql_connection.hpp"
#include "servers/statement_file.hpp"
#include "store/statement_connection.hpp"

namespace holdfast {

// The limits that every client's session has, whatever it is for.
MySqlAddress with_client_limits(MySqlAddress address);

std::unique_ptr<StatementConnection> connect_mysql_client(const StatementFile& file, const ClientAccess& access);

}  // namespace holdfast
