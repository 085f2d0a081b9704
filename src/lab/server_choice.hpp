// Servers that the user chose in place of the installed ones: `holdfast run --server mysqld=/opt/mysql/bin/mysqld`.
//
//   choose_server("redis-server=/opt/valkey/bin/valkey-server");   // before anything is started; BadInput
//   find_server("redis-server", "redis-server");                   // that path, or the installed one's
//
// `mysqld` (or `mariadbd`) is whatever speaks MySQL's protocol, MySQL or MariaDB; `redis-server` whatever speaks
// Redis's. The choice is the process's own: the runner of a trial makes it once, at its start.
#pragma once

#include <optional>
#include <string>

namespace holdfast {

void choose_server(const std::string& name_and_path);
std::optional<std::string> chosen_server(const std::string& name);

// As find_program, but for what was chosen.
std::string find_server(const std::string& name, const std::string& package);

}  // namespace holdfast
