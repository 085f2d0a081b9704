// How a scenario sets up Redis.
#pragma once

#include <string>

#include "artifact/scenario.hpp"

namespace holdfast {

inline constexpr const char* kRedisSettings = R"({
  "redis_persistence": {
    "enum": ["none", "aof_always", "aof_everysec"],
    "description": "what a Redis server writes to disk"
  }
})";

std::string redis_persistence(const ServerSettings& settings);  // BadInput

}  // namespace holdfast
