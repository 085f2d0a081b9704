// Where MariaDB and MySQL servers of the lab listen, and what is asked of them by the runner, which is patient.
#pragma once

#include <string>

#include "lab/readiness_probe.hpp"
#include "servers/mysql/mysql_connection.hpp"
#include "servers/target.hpp"

namespace holdfast {

inline constexpr int kServerPort = 3306;
// The greeting: a packet's header of four bytes with number 0, then the protocol's version, 10. An error, such as "Too
// many connections", has 255 in its place.
inline constexpr ReadinessProbe kMySqlProbe{kServerPort, "", 5,
                                            [](std::string_view answer) { return answer[3] == 0 && answer[4] == 10; }};
inline constexpr const char* kDatabase = "holdfast";  // of the lab
inline constexpr unsigned kPatience_s = 5;
inline constexpr unsigned kTargetPatience_s = 30;  // of a user's own, which may take seconds to make a table

// The lab's database on a server, for somebody patient.
MySqlAddress lab_address(const std::string& host);

MySqlAddress mysql_address(const Target& target);

void make_lab_database(MySqlAddress address);

void must_run(MySqlConnection& db, const std::string& sql);  // HarnessError when it fails

}  // namespace holdfast
