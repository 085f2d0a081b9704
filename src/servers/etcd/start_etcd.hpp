// Starts an etcd server for a trial: one of a service of one or several.
//
// The time-outs are etcd's defaults: a heartbeat every 100 ms, an election after 1 s without one. From these etcd
// derives the shortest lease it grants, 2 s: a request for one second gets two.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lab/process.hpp"
#include "lab/readiness_probe.hpp"

namespace holdfast {

struct EtcdSpec {
  std::string data;                  // created if missing; an existing one is continued
  std::string log;                   // in the run folder: the lab's memory dies with the lab
  int network = -1;                  // the node's network namespace
  std::vector<std::string> members;  // the addresses of all servers of the service
  std::uint32_t number = 0;          // number of this server
};

Process start_etcd(const EtcdSpec& spec);  // throws Unavailable if the server is not installed

inline constexpr int kEtcdPort = 2379;
// Healthy: the server knows a leader and has just read with a quorum.
inline constexpr ReadinessProbe kEtcdProbe{
    kEtcdPort, "GET /health HTTP/1.1\r\nHost: etcd\r\nConnection: close\r\n\r\n", 12,
    [](std::string_view answer) { return answer.substr(0, 12) == "HTTP/1.1 200"; }};

}  // namespace holdfast
