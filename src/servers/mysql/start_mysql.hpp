// A MySQL server of the trial's own, where the user chose one (server_choice.hpp). It differs from MariaDB in what it
// needs before it starts: an empty directory will not do, and without grant tables it listens on no port.
#pragma once

#include <string>

#include "servers/mysql/start_mariadb.hpp"

namespace holdfast {

// Asks the program itself.
bool is_mysql(const std::string& program, const ServerSpec& spec);

// Fills the directory first where it is empty, which takes a few seconds.
Process start_mysql(const std::string& program, const ServerSpec& spec);

}  // namespace holdfast
