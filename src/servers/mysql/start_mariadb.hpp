// A MariaDB (or MySQL) server of the trial's own: an empty data directory in memory, no grant tables, no service,
// nothing on the machine's ports. Ready about 0.2 s after it was started.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "lab/process.hpp"
#include "lab/server_clock.hpp"

namespace holdfast {

inline constexpr int kPrimaryId = 1;
inline constexpr int kReplicaId = 2;

struct ServerSpec {
  std::string data;  // an existing, empty directory
  std::string log;   // error log, in the run folder: the lab's memory dies with the lab
  int network = -1;  // the node's network namespace
  // innodb_flush_log_at_trx_commit; with 0 a kill loses what was committed within the last second.
  std::int64_t flush_log_at_commit = 1;
  bool explicit_defaults_for_timestamp = true;
  const ServerClock* clock = nullptr;  // a wall clock that faults can set wrong; null: the host's
  std::size_t connections = 100;
  int replication_id = 0;                          // kPrimaryId, kReplicaId; 0: it has no part in replication
  bool only_socket = false;                        // no port: it listens on kServerSocket in its data directory alone
  std::vector<std::string> more;                   // further options, which win over those above
  std::map<std::string, std::string> environment;  // beside the runner's
};

inline constexpr const char* kServerSocket = "server.sock";

Process start_mariadb(const ServerSpec& spec);  // throws Unavailable when the server is not installed

}  // namespace holdfast
