// Where Redis servers of the lab listen.
#pragma once

#include "lab/door.hpp"
#include "servers/redis/redis_connection.hpp"
#include "servers/target.hpp"

namespace holdfast {

inline constexpr int kRedisPort = 6379;
inline constexpr Door kRedisDoor{kRedisPort, "PING\r\n", "+"};

RedisAddress redis_address(const Target& target);

}  // namespace holdfast
