#include "servers/postgres/pg_errors.hpp"

#include "artifact/server_errors.hpp"

namespace holdfast {
namespace {

ErrorKind kind_of(std::string_view sqlstate) {
  if (sqlstate == kUniqueViolation || sqlstate == "23P01") return ErrorKind::duplicate;  // or an exclusion constraint
  if (sqlstate == kLockNotAvailable || sqlstate.substr(0, 2) == "40") return ErrorKind::conflict;
  // Temporarily unavailable: the end of a connection, too many connections, an operator, a standby.
  for (const std::string_view prefix : {"08", "53", "57P", "25006"}) {
    if (sqlstate.substr(0, prefix.size()) == prefix) return ErrorKind::unavailable;
  }
  return ErrorKind::unknown;
}

}  // namespace

Reply pg_refused(std::string_view sqlstate, const std::string& message) {
  return Reply::refused(kind_of(sqlstate), number_of_sqlstate(sqlstate), std::string(sqlstate) + ": " + message);
}

}  // namespace holdfast
