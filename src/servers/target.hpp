// A server of the user's own, as named by `holdfast run --target`:
//
//   mysql://user@host:port/database                         default port 3306; MySQL or MariaDB
//   redis://user@host:port/number                           default port 6379, number 0
//   mysql://user@host/database?tls=required&ca=FILE         with TLS; likewise rediss://user@host, with ?ca=FILE
//
// With TLS the server needs a certificate for the host's name, from the system's authorities or from those in `ca`;
// without TLS it never receives the password in clear text (transport.hpp, mysql_connection.cpp).
//
// Separators in parts of a URL are written as %40 for @ and so on. The password is passed through the environment
// (HOLDFAST_TARGET_PASSWORD) only: `text()` shows it as ***, which is also used in command lines, logs and reports. For
// *** the password is read from the environment, and likewise for a URL without one if it is set there.
//
// It does not connect, and does not handle clusters.
#pragma once

#include <string>

#include "store/transport.hpp"

namespace holdfast {

inline constexpr const char* kTargetPassword = "HOLDFAST_TARGET_PASSWORD";

struct Target {
  std::string server;  // the kind: a folder of src/servers
  std::string host;
  unsigned port = 0;
  std::string user;  // empty: Redis's default user
  std::string password;
  std::string database;  // for Redis: its number
  Security security{};
  std::string prefix;  // of every table or key that holdfast creates; written after a #

  std::string text() const;   // without the password
  std::string place() const;  // "host:port/database", for people
};

// "mysql://user@host:port/database, redis://host:port/number or rediss://host:port/number"
std::string target_forms();

// Throws BadInput, never with the password in its text.
Target parse_target(const std::string& text);

// Moves the password from this process's command line, which every user can read, to its environment. Arguments that
// may contain one are starred, so that no error message repeats it.
void hide_target_password(int argc, char** argv);

}  // namespace holdfast
