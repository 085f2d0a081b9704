// A sandbox on a MySQL or MariaDB server: the parts specific to it (table_sandbox.hpp).
#pragma once

#include <memory>
#include <string>

#include "servers/sandbox.hpp"

namespace holdfast {

// Tested with what a run needs; an empty run: cleaning only.
std::unique_ptr<Sandbox> mysql_sandbox(const Target& target, const std::string& run);

}  // namespace holdfast
