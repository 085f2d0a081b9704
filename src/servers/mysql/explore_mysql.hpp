// MariaDB in the explorer's lab: one server, a database per worker.
#pragma once

#include <memory>
#include <string>

#include "servers/stepped_store.hpp"

namespace holdfast {

// of the exploration: its subfolder `lab` is in memory
std::unique_ptr<ExploreServer> explore_mysql(const std::string& folder);

}  // namespace holdfast
