// Addresses of MariaDB and MySQL servers in the lab, and the runner's queries, with long time-outs.
#pragma once

#include <string>

#include "lab/readiness_probe.hpp"
#include "servers/mysql/mysql_connection.hpp"
#include "servers/target.hpp"

namespace holdfast {

inline constexpr int kServerPort = 3306;
// The greeting: a packet header of four bytes with number 0, then the protocol's version, 10. An error, such as "Too
// many connections", has 255 instead.
inline constexpr ReadinessProbe kMySqlProbe{kServerPort, "", 5,
                                            [](std::string_view answer) { return answer[3] == 0 && answer[4] == 10; }};
inline constexpr const char* kDatabase = "holdfast";  // of the lab
inline constexpr unsigned kPatience_s = 5;
inline constexpr unsigned kTargetPatience_s = 30;  // for a user's server, which may take seconds to create a table

// The lab's database on a server, with long time-outs.
MySqlAddress lab_address(const std::string& host);

MySqlAddress mysql_address(const Target& target);

void make_lab_database(MySqlAddress address);

void must_run(MySqlConnection& db, const std::string& sql);  // throws HarnessError on failure

}  // namespace holdfast
