// A Redis server of the trial's own: its data in memory or in a folder in memory, no service, nothing on the machine's
// ports. Ready a few hundredths of a second after it was started. Started again on the same folder it has what its
// persistence kept.
#pragma once

#include <string>

#include "lab/process.hpp"
#include "lab/server_clock.hpp"

namespace holdfast {

struct RedisSpec {
  std::string data;                    // made if it is not there
  std::string log;                     // in the run folder: the lab's memory dies with the lab
  int network = -1;                    // the node's network namespace
  std::string persistence;             // none | aof_always | aof_everysec
  const ServerClock* clock = nullptr;  // a wall clock that faults can set wrong; null: the host's
  int port = 6379;                     // 6380 and on, for others on one network
};

Process start_redis(const RedisSpec& spec);  // throws Unavailable when the server is not installed

}  // namespace holdfast
