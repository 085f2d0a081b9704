// Redis in the explorer's lab: a server a worker, for they differ in what time it is.
#pragma once

#include <memory>
#include <string>

#include "servers/explore_server.hpp"

namespace holdfast {

std::unique_ptr<ExploreServer> explore_redis(const std::string& folder);  // of the exploration: its `lab` is in memory

}  // namespace holdfast
