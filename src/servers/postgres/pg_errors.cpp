#include "servers/postgres/pg_errors.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <limits>

namespace holdfast {
namespace {

ErrorKind kind_of(std::string_view sqlstate) {
  if (sqlstate == kUniqueViolation || sqlstate == "23P01") return ErrorKind::duplicate;  // also an exclusion constraint
  if (sqlstate == kLockNotAvailable || sqlstate.substr(0, 2) == "40") return ErrorKind::conflict;
  // Not now: a connection's end, too many of them, an operator, a standby.
  for (const std::string_view prefix : {"08", "53", "57P", "25006"}) {
    if (sqlstate.substr(0, prefix.size()) == prefix) return ErrorKind::unavailable;
  }
  return ErrorKind::unknown;
}

}  // namespace

int number_of_sqlstate(std::string_view sqlstate) {
  std::int64_t out = 0;
  for (const char c : sqlstate.substr(0, 5)) {
    const auto letter = static_cast<unsigned char>(c);
    if (std::isdigit(letter) != 0) out = out * 10 + (letter - '0');
    if (std::isupper(letter) != 0) out = out * 100 + (letter - 'A' + 10);
  }
  return static_cast<int>(std::min<std::int64_t>(out, std::numeric_limits<int>::max()));
}

Reply pg_refused(std::string_view sqlstate, const std::string& message) {
  return Reply::refused(kind_of(sqlstate), number_of_sqlstate(sqlstate), std::string(sqlstate) + ": " + message);
}

}  // namespace holdfast
