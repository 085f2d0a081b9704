// A sandbox on a user's own PostgreSQL server: the parts specific to it (table_sandbox.hpp). Tables are created in the
// first schema of the user's search_path.
#pragma once

#include <memory>
#include <string>

#include "servers/sandbox.hpp"

namespace holdfast {

// Tested with what a run needs; an empty run: cleaning only.
std::unique_ptr<Sandbox> postgres_sandbox(const Target& target, const std::string& run);

}  // namespace holdfast
