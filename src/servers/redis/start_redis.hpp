// Starts a Redis server for a trial, as its scenario sets it up.
#pragma once

#include <string>

#include "artifact/scenario.hpp"
#include "lab/process.hpp"
#include "lab/readiness_probe.hpp"
#include "lab/server_clock.hpp"
#include "servers/redis/redis_connection.hpp"
#include "servers/target.hpp"

namespace holdfast {

// Scenario settings for Redis.
inline constexpr const char* kRedisSettings = R"({
  "redis_persistence": {
    "enum": ["none", "aof_always", "aof_everysec", "aof_no"],
    "description": "what a Redis server writes to disk and when it syncs; aof_no: the kernel decides"
  }
})";

std::string redis_persistence(const ServerSettings& settings);  // BadInput

// A Redis server for a trial: data in memory or in a memory folder, no system service, no ports of the machine. Ready a
// few hundredths of a second after its start. Restarted on the same folder, it has what its persistence kept.
struct RedisSpec {
  std::string data;                    // created if missing
  std::string log;                     // in the run folder: the lab's memory dies with the lab
  int network = -1;                    // the node's network namespace
  std::string persistence;             // none | aof_always | aof_everysec | aof_no
  const ServerClock* clock = nullptr;  // a wall clock that faults can change; null: the host's
  int port = 6379;                     // 6380 and on, for others on one network
  std::string config{};                // a file of further settings, which the server may modify; empty: none
  int databases = 1;
};

Process start_redis(const RedisSpec& spec);  // throws Unavailable if the server is not installed

// A Sentinel, which is the same program; it reads its settings file and writes to it.
Process start_sentinel(const RedisSpec& spec);

// Port of Redis servers in the lab.
inline constexpr int kRedisPort = 6379;
inline constexpr ReadinessProbe kRedisProbe{kRedisPort, "PING\r\n", 5,
                                            [](std::string_view answer) { return answer == "+PONG"; }};

RedisAddress redis_address(const Target& target);

}  // namespace holdfast
