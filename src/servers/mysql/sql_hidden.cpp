#include "servers/mysql/sql_hidden.hpp"

#include <regex>

namespace holdfast {

bool may_hide_state(const std::string& sql) {
  static const std::regex changes_tables(R"((^|;)\s*(CREATE|ALTER|DROP|RENAME|TRUNCATE|LOCK|CALL|PREPARE|SET)\b)",
                                         std::regex::icase);
  static const std::regex of_the_session(
      R"(\b(LAST_INSERT_ID|FOUND_ROWS|ROW_COUNT|NEXTVAL|LASTVAL|SETVAL)\s*\(|\bTEMPORARY\b|\bNEXT\s+VALUE\b|@[`'"]|:=)",
      std::regex::icase);
  return std::regex_search(sql, changes_tables) || std::regex_search(sql, of_the_session);
}

}  // namespace holdfast
