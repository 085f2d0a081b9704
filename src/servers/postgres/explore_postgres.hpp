// PostgreSQL in the explorer's lab: one server, a database per worker.
#pragma once

#include <memory>
#include <string>

#include "servers/stepped_store.hpp"

namespace holdfast {

std::unique_ptr<ExploreServer> explore_postgres(const std::string& folder);  // of the exploration

}  // namespace holdfast
