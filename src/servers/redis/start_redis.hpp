// A Redis server of the trial's own, as its scenario sets it up, and where it listens.
#pragma once

#include <string>

#include "artifact/scenario.hpp"
#include "lab/process.hpp"
#include "lab/readiness_probe.hpp"
#include "lab/server_clock.hpp"
#include "servers/redis/redis_connection.hpp"
#include "servers/target.hpp"

namespace holdfast {

// How a scenario sets up Redis.
inline constexpr const char* kRedisSettings = R"({
  "redis_persistence": {
    "enum": ["none", "aof_always", "aof_everysec", "aof_no"],
    "description": "what a Redis server writes to disk and when it syncs; aof_no: the kernel decides"
  }
})";

std::string redis_persistence(const ServerSettings& settings);  // BadInput

// A Redis server of the trial's own: its data in memory or in a folder in memory, no service, nothing on the machine's
// ports. Ready a few hundredths of a second after it was started. Started again on the same folder it has what its
// persistence kept.
struct RedisSpec {
  std::string data;                    // made if it is not there
  std::string log;                     // in the run folder: the lab's memory dies with the lab
  int network = -1;                    // the node's network namespace
  std::string persistence;             // none | aof_always | aof_everysec | aof_no
  const ServerClock* clock = nullptr;  // a wall clock that faults can set wrong; null: the host's
  int port = 6379;                     // 6380 and on, for others on one network
  std::string config{};                // a file of further settings, which the server may write to; empty: none
  int databases = 1;
};

Process start_redis(const RedisSpec& spec);  // throws Unavailable when the server is not installed

// A Sentinel, which is the same program; its file of settings has all that it is to know, and it writes to it.
Process start_sentinel(const RedisSpec& spec);

// Where Redis servers of the lab listen.
inline constexpr int kRedisPort = 6379;
inline constexpr ReadinessProbe kRedisProbe{kRedisPort, "PING\r\n", 5,
                                            [](std::string_view answer) { return answer == "+PONG"; }};

RedisAddress redis_address(const Target& target);

}  // namespace holdfast
