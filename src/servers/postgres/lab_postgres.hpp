// A PostgreSQL server of the trial's own: its data in memory, no service, nothing on the machine's ports.
//
//   PostgresSpec spec{folder + "/lab/postgres", folder + "/postgres.log"};
//   Process server = start_postgres(spec);     // fills the folder first, where it is empty
//
// Filling it (initdb, locale C, nothing synced) takes about 0.4 s, the start 0.15 s more. Started again on the same
// folder the server has what its log has.
//
// PostgreSQL refuses to run as user 0, who alone is in a lab: it runs in a user namespace of its own, as nobody
// (Spawn::user), who is in every /etc/passwd. It has a process for each session, so it is stopped and ended as a
// family. Its memory for several processes is in its folder: a lab's /dev/shm can only be read.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lab/process.hpp"
#include "lab/server_clock.hpp"
#include "servers/lock_server.hpp"
#include "servers/postgres/pg_connection.hpp"
#include "servers/postgres/postgres_settings.hpp"
#include "servers/target.hpp"

namespace holdfast {

// For how long a client's statement waits for another's lock: less than the connection's own time-out, since an answer
// is definite and a time-out is not.
inline constexpr std::int64_t kRowLockWait_ms = 1'000;
inline constexpr std::int64_t kClientPatience_ms = 2'000;

// Nobody, who is in every /etc/passwd, where initdb looks for its user.
inline constexpr unsigned kServersUser = 65534;

struct PostgresSpec {
  std::string data;  // made if it is not there
  std::string log;   // in the run folder: the lab's memory dies with the lab
  int network = -1;  // the node's network namespace
  std::size_t connections = 100;
  PostgresSettings settings{};
  const ServerClock* clock = nullptr;  // a wall clock that faults can set wrong; null: the host's
  std::string primary{};               // the address of the server that it follows; empty: it follows none
  std::vector<std::string> more{};     // further settings, "name=value", which win over those above
};

// Both throw Unavailable when the server is not installed.
Process start_postgres(const PostgresSpec& spec);

PgAddress postgres_in_lab(const std::string& host);  // for somebody patient
PgAddress postgres_address(const Target& target);

// HarnessError when it fails.
Reply must_answer(PgConnection& db, const std::string& sql);

std::string postgres_log(const ServerConfig& config, const std::string& which = "");

}  // namespace holdfast
