// Our place on a MySQL or MariaDB server: what of it is not the same on every server of tables (table_sandbox.hpp).
#pragma once

#include <memory>
#include <string>

#include "servers/sandbox.hpp"

namespace holdfast {

// Tried with what a run needs; an empty run: a visit.
std::unique_ptr<Sandbox> mysql_sandbox(const Target& target, const std::string& run);

}  // namespace holdfast
