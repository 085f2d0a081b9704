// An etcd server of the trial's own: one of a service of one or several, and where it listens.
//
// The time-outs are etcd's own defaults: a heartbeat each 100 ms, an election after 1 s without one. From these etcd
// makes the shortest lease that it grants, 2 s: whoever asks for one of a second gets one of two.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lab/process.hpp"
#include "lab/readiness_probe.hpp"

namespace holdfast {

struct EtcdSpec {
  std::string data;                  // made if it is not there; on a folder that is there it goes on
  std::string log;                   // in the run folder: the lab's memory dies with the lab
  int network = -1;                  // the node's network namespace
  std::vector<std::string> members;  // the addresses of all servers of the service
  std::uint32_t number = 0;          // which of them this is
};

Process start_etcd(const EtcdSpec& spec);  // throws Unavailable when the server is not installed

inline constexpr int kEtcdPort = 2379;
// Healthy is who knows a leader and has just read with a majority's leave.
inline constexpr ReadinessProbe kEtcdProbe{
    kEtcdPort, "GET /health HTTP/1.1\r\nHost: etcd\r\nConnection: close\r\n\r\n", 12,
    [](std::string_view answer) { return answer.substr(0, 12) == "HTTP/1.1 200"; }};

}  // namespace holdfast
