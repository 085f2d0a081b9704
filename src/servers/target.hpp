// A server of the user's own, as `holdfast run --target` names it:
//
//   mysql://user@host:port/database                         port 3306 where none is given; MySQL or MariaDB
//   redis://user@host:port/number                           port 6379, number 0
//   mysql://user@host/database?tls=required&ca=FILE         with TLS; so has rediss://user@host, and takes ?ca=FILE
//
// With TLS the server has to show a certificate for the host's name, from the system's authorities or from those in
// `ca`; without, it gets no password in a form that tells it (transport.hpp, mysql_connection.cpp).
//
// Marks that part a URL are written as %40 for @ and so on. The password travels by the environment
// (HOLDFAST_TARGET_PASSWORD) and nowhere else: `text()` shows it as ***, and that is what command lines, logs and
// reports have. Reading *** takes the password from the environment; so does a URL without one, where it is set.
//
// It does not connect, and knows nothing of clusters.
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
  std::string database;  // of Redis: its number
  Security security{};
  std::string prefix;  // what every table or key of ours begins with; written after a #

  std::string text() const;   // without the password
  std::string place() const;  // "host:port/database", for people
};

// "mysql://user@host:port/database, redis://host:port/number or rediss://host:port/number"
std::string target_forms();

// Throws BadInput, never with the password in its text.
Target parse_target(const std::string& text);

// Takes the password out of this process's command line, where everybody can read it, into its environment. Whatever
// argument looks as if it had one is starred, so that no error can repeat it.
void hide_target_password(int argc, char** argv);

}  // namespace holdfast
