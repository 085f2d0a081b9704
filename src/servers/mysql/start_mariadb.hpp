// Starts a MariaDB (or MySQL) server for a trial, as its scenario sets it up.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "artifact/scenario.hpp"
#include "lab/process.hpp"
#include "lab/server_clock.hpp"
#include "servers/lock_server.hpp"

namespace holdfast {

// Scenario settings for MariaDB or MySQL.
struct MySqlSettings {
  std::int64_t flush_log_at_commit = 1;         // with 0, a kill loses commits of the last second
  bool explicit_defaults_for_timestamp = true;  // false: a first TIMESTAMP column is updated on each change of its row
  std::int64_t commit_delay_ms = 0;             // as on a slow disk; row locks are held meanwhile
};

inline constexpr const char* kMySqlSettings = R"({
  "innodb_flush_log_at_trx_commit": {
    "enum": [0, 1, 2],
    "description": "when a commit reaches the disk; with 0, a kill loses the commits of the last second"
  },
  "explicit_defaults_for_timestamp": {
    "type": "boolean",
    "description": "false, the old behaviour: each change of a row sets its first TIMESTAMP column to the current time"
  },
  "commit_delay_ms": {
    "type": "integer", "minimum": 0, "maximum": 100,
    "description": "how long each commit waits for the disk, with its locks held; 0: it does not"
  }
})";

MySqlSettings mysql_settings(const ServerSettings& settings);  // BadInput

// A MariaDB (or MySQL) server for a trial: an empty data directory in memory, no grant tables, no system service, no
// ports of the machine. Ready about 0.2 s after its start.

inline constexpr int kPrimaryId = 1;
inline constexpr int kReplicaId = 2;

struct ServerSpec {
  std::string data;  // an existing, empty directory
  std::string log;   // error log, in the run folder: the lab's memory dies with the lab
  int network = -1;  // the node's network namespace
  // innodb_flush_log_at_trx_commit; with 0 a kill loses commits of the last second.
  std::int64_t flush_log_at_commit = 1;
  bool explicit_defaults_for_timestamp = true;
  std::int64_t commit_delay_ms = 0;
  const ServerClock* clock = nullptr;  // a wall clock that faults can change; null: the host's
  std::size_t connections = 100;
  int replication_id = 0;                          // kPrimaryId, kReplicaId; 0: no replication
  bool only_socket = false;                        // no port: it listens only on kServerSocket in its data directory
  std::vector<std::string> more;                   // additional options, which override those above
  std::map<std::string, std::string> environment;  // in addition to the runner's
};

inline constexpr const char* kServerSocket = "server.sock";

Process start_mariadb(const ServerSpec& spec);  // throws Unavailable if the server is not installed

// A MariaDB or MySQL of a trial, set up by its scenario. `which` distinguishes it from the trial's others: "",
// "-replica", "-1". Its data directory stays, so that a restarted server continues with it. Throws HarnessError.
ServerSpec trial_spec(const ServerConfig& config, const std::string& which, int network);

// For a server on the disk of the lock's server, if there is one (ServerConfig::disks).
ServerSpec lock_server_spec(const ServerConfig& config);

std::string trial_log(const std::string& folder, const std::string& which);

}  // namespace holdfast
