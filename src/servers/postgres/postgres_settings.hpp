// Scenario settings for PostgreSQL. Needs no library, and is compiled in every build (postgres.cpp).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "artifact/scenario.hpp"
#include "lab/readiness_probe.hpp"
#include "servers/sql_file.hpp"

namespace holdfast {

struct PostgresSettings {
  std::string synchronous_commit = "on";  // off: a kill loses commits since the log was last written
  std::int64_t wal_writer_delay_ms = 200;
  bool fsync = true;                 // false: a power loss may lose commits
  std::int64_t commit_delay_ms = 0;  // as on a slow disk; row locks are held meanwhile
};

inline constexpr const char* kPostgresSettings = R"({
  "synchronous_commit": {
    "enum": ["on", "off"],
    "description": "off: a commit is answered before its log is written, so a kill loses it"
  },
  "wal_writer_delay_ms": {
    "type": "integer", "minimum": 1, "maximum": 10000,
    "description": "interval at which PostgreSQL writes its log with synchronous_commit off"
  },
  "fsync": {
    "type": "boolean",
    "description": "false: PostgreSQL does not sync its files, so a loss of power may lose everything"
  },
  "commit_delay_ms": {
    "type": "integer", "minimum": 0, "maximum": 100,
    "description": "how long each commit waits for the disk, with its locks held; 0: it does not"
  }
})";

PostgresSettings postgres_settings(const ServerSettings& settings);  // BadInput

// Port and login of servers in the lab; they require no password.
inline constexpr int kPostgresPort = 5432;
inline constexpr int kPoolPort = 6432;
inline constexpr const char* kPostgresUser = "postgres";
inline constexpr const char* kPostgresDatabase = "postgres";

// Variant of a connection through a pool of sessions.
inline constexpr const char* kThroughPool = "pgbouncer";

// The startup message of a session: its length, protocol version 3.0, user and database. The answer is that no
// authentication is needed ('R', eight bytes, 0), or an error ('E'), for example while the server recovers or has no
// free connection. A server that is not ready yet would also accept the connection.
inline constexpr std::string_view kPostgresHello{"\0\0\0\x29\0\3\0\0user\0postgres\0database\0postgres\0\0", 0x29};

inline constexpr ReadinessProbe postgres_probe(int port) {
  return {port, kPostgresHello, 9, [](std::string_view answer) { return answer[0] == 'R' && answer[8] == 0; }};
}

// A file of a lock's statements in psql's form: parameters are :word and :'word'.
SqlFile postgres_file(const StatementFile& file, const std::string& prefix = "");

}  // namespace holdfast
