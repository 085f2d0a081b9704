#include "artifact/server_errors.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>

namespace holdfast {
namespace {

constexpr std::int64_t kFirstState = 10'000;
constexpr std::int64_t kFirstWithLetter = 100'000;

struct KnownError {
  std::string_view name;
  std::string_view meaning;
};

// Sources: MySQL 8.0 Error Message Reference, MariaDB Error Code Reference; PostgreSQL's manual, appendix A.
constexpr std::array<KnownError, 22> kKnown{{{"1020", "the row has changed since it was read"},
                                             {"1062", "duplicate key"},
                                             {"1205", "the wait for a row lock timed out"},
                                             {"1213", "deadlock"},
                                             {"1264", "the value is out of the column's range"},
                                             {"1267", "the collations do not match"},
                                             {"1290", "the server refuses writes"},
                                             {"1406", "the value is too long for its column"},
                                             {"1690", "a computed value is out of range"},
                                             {"1836", "the server refuses writes"},
                                             {"2006", "the server has closed the connection"},
                                             {"2013", "the connection was lost during a query"},
                                             {"3572", "the row is locked, and the statement has NOWAIT"},
                                             {"4031", "the server ended the session because it was idle"},
                                             {"23505", "duplicate key"},
                                             {"25006", "the transaction is read-only"},
                                             {"25P02", "the transaction is aborted, its statements are ignored"},
                                             {"25P03", "the server ended a session that was idle in a transaction"},
                                             {"40001", "the transaction could not be serialized"},
                                             {"40P01", "deadlock"},
                                             {"55P03", "the lock is not available"},
                                             {"57P05", "the server ended the session because it was idle"}}};

std::string name_of(std::int64_t number) {
  const std::string digits = std::to_string(number);
  if (number < kFirstWithLetter || digits.size() != 6) return digits;
  const int letter = std::stoi(digits.substr(2, 2)) - 10;
  if (letter < 0 || letter > 'Z' - 'A') return digits;
  return digits.substr(0, 2) + static_cast<char>('A' + letter) + digits.substr(4);
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

std::string server_error_text(std::int64_t number) {
  const std::string name = name_of(number);
  const auto known =
      std::find_if(kKnown.begin(), kKnown.end(), [&name](const KnownError& one) { return one.name == name; });
  const std::string meaning = known == kKnown.end() ? "" : " (" + std::string(known->meaning) + ")";
  return (number < kFirstState ? "error " : "SQLSTATE ") + name + meaning;
}

}  // namespace holdfast
