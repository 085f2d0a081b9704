// A run's folder may be somebody else's. What it says of programs to start and servers to connect to is therefore only
// compared with the command line, which alone decides: whoever opens a folder must not run what lies in it, nor send a
// password where it says.
//
//   check_servers_of(folder, order.flags, order.directory, given);   // BadInput names what is to be repeated, or not
//
// It does not look at the programs: check_servers does.
#pragma once

#include <string>

#include "cli/server_flags.hpp"

namespace holdfast {

// `stored`: of the folder's run.json, its paths to be read in `directory`. Throws BadInput where `given` is not the
// same.
void check_servers_of(const std::string& folder, const ServerFlags& stored, const std::string& directory,
                      const ServerFlags& given);

// "mysqld=/opt/mysqld", of a path that is read in `directory`. Texts of another form stay as they are.
std::string absolute_server(const std::string& name_and_path, const std::string& directory);

}  // namespace holdfast
