// Servers chosen by the user instead of the installed ones: `holdfast run --server mysqld=/opt/mysql/bin/mysqld`.
//
//   choose_server("redis-server=/opt/valkey/bin/valkey-server");    // before anything is started; throws BadInput
//   find_server("redis-server", "redis-server", "redis");           // that path, or the installed program's
//
// The kinds of server define the words (server_type.hpp). The choice belongs to the process: the runner of a trial
// makes it once, at its start.
#pragma once

#include <optional>
#include <string>

#include "lab/process.hpp"

namespace holdfast {

void choose_server(const std::string& name_and_path);
std::optional<std::string> chosen_server(const std::string& name);

// Name of a program that can be chosen, from its name or alias; empty: unknown.
std::string program_name(const std::string& word);

std::string server_choices();  // "mysqld=PATH or redis-server=PATH"

// As find_program, but prefers the chosen program.
std::string find_server(const std::string& choice, const std::string& program, const Package& package);

}  // namespace holdfast
