// Where Redis servers of the lab listen.
#pragma once

#include "lab/readiness_probe.hpp"
#include "servers/redis/redis_connection.hpp"
#include "servers/target.hpp"

namespace holdfast {

inline constexpr int kRedisPort = 6379;
inline constexpr ReadinessProbe kRedisProbe{kRedisPort, "PING\r\n", 5,
                                            [](std::string_view answer) { return answer == "+PONG"; }};

RedisAddress redis_address(const Target& target);

}  // namespace holdfast
