// Servers that the user chose in place of the installed ones: `holdfast run --server mysqld=/opt/mysql/bin/mysqld`.
//
//   choose_server("redis-server=/opt/valkey/bin/valkey-server");    // before anything is started; BadInput
//   find_server("redis-server", "redis-server", "redis");           // that path, or the installed program's
//
// Which words there are is said by the kinds of server (server_type.hpp). The choice is the process's own: the runner
// of a trial makes it once, at its start.
#pragma once

#include <optional>
#include <string>

#include "lab/process.hpp"

namespace holdfast {

void choose_server(const std::string& name_and_path);
std::optional<std::string> chosen_server(const std::string& name);

// The name of a program that can be chosen, by that or by its alias; empty: there is none.
std::string program_name(const std::string& word);

std::string server_choices();  // "mysqld=PATH or redis-server=PATH"

// As find_program, but for what was chosen.
std::string find_server(const std::string& choice, const std::string& program, const Package& package);

}  // namespace holdfast
