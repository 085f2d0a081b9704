// Starts a ZooKeeper server for a trial: one of a service of one or several.
//
// All times are a quarter of those in ZooKeeper's sample configuration, so that trials stay short and the proportions
// are kept: a tick of 500 ms (2000), sessions of 1 to 10 s (4 to 40). A follower gives up a leader that is silent for
// five ticks, 2.5 s (10 s).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lab/process.hpp"
#include "lab/readiness_probe.hpp"
#include "servers/zookeeper/zookeeper_session.hpp"

namespace holdfast {

inline constexpr std::int64_t kZooKeeperTick_ms = 500;

struct ZooKeeperSpec {
  std::string data;                  // created if missing; an existing one is continued
  std::string log;                   // in the run folder: the lab's memory dies with the lab
  int network = -1;                  // the node's network namespace
  std::vector<std::string> members;  // the addresses of all servers of the service
  std::uint32_t number = 0;          // number of this server
};

Process start_zookeeper(const ZooKeeperSpec& spec);  // throws Unavailable if the server is not installed

// A server outside a majority answers this, too, but with another sentence.
inline constexpr ReadinessProbe kZooKeeperProbe{
    kZooKeeperPort, "srvr", 16, [](std::string_view answer) { return answer.substr(0, 16) == "Zookeeper versio"; }};

}  // namespace holdfast
