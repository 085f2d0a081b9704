// Our place on a PostgreSQL server of the user's own: what of it is not the same on every server of tables
// (table_sandbox.hpp). Tables are made in the first schema of the user's search_path.
#pragma once

#include <memory>
#include <string>

#include "servers/sandbox.hpp"

namespace holdfast {

// Tried with what a run needs; an empty run: a visit.
std::unique_ptr<Sandbox> postgres_sandbox(const Target& target, const std::string& run);

}  // namespace holdfast
