// A PostgreSQL server for a trial: data in memory, no system service, no ports of the machine.
//
//   PostgresSpec spec{folder + "/lab/postgres", folder + "/postgres.log"};
//   Process server = start_postgres(spec);     // initializes an empty folder first
//
// Initializing (initdb, locale C, without sync) takes about 0.4 s, the start 0.15 s more. Restarted on the same folder,
// the server has what is in its log.
//
// PostgreSQL refuses to run as user 0, the only user in a lab: it runs in a user namespace of its own as nobody
// (Spawn::user), who is in every /etc/passwd. It has a process per session, so it is stopped and ended as a family. Its
// shared memory is in its folder: a lab's /dev/shm is read-only.
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

// Maximum wait of a client's statement for a lock: less than the connection's own time-out, since an answer is definite
// and a time-out is not.
inline constexpr std::int64_t kRowLockWait_ms = 1'000;
inline constexpr std::int64_t kClientPatience_ms = 2'000;

// User nobody, who is in every /etc/passwd, where initdb looks for its user.
inline constexpr unsigned kServersUser = 65534;

struct PostgresSpec {
  std::string data;  // created if missing
  std::string log;   // in the run folder: the lab's memory dies with the lab
  int network = -1;  // the node's network namespace
  std::size_t connections = 100;
  PostgresSettings settings{};
  const ServerClock* clock = nullptr;  // a wall clock that faults can change; null: the host's
  std::string primary{};               // address of the server that it follows; empty: none
  std::vector<std::string> more{};     // additional settings, "name=value", which override those above
};

// Both throw Unavailable if the server is not installed.
Process start_postgres(const PostgresSpec& spec);

PgAddress postgres_in_lab(const std::string& host);  // with long time-outs
PgAddress postgres_address(const Target& target);

// Throws HarnessError on failure.
Reply must_answer(PgConnection& db, const std::string& sql);

std::string postgres_log(const ServerConfig& config, const std::string& which = "");

}  // namespace holdfast
