#include "servers/mysql/sql_time.hpp"

#include <algorithm>
#include <cctype>

#include "servers/mysql/sql_words.hpp"

namespace holdfast {
namespace {

bool about_time(const std::string& word) {
  if (word == "UPDATE" || word == "MICROSECOND") return false;
  const char* const parts[] = {"TIME", "DATE", "SECOND", "MINUTE", "HOUR", "DAY", "NOW"};
  return std::any_of(std::begin(parts), std::end(parts),
                     [&](const char* part) { return word.find(part) != std::string::npos; });
}

bool asks_for_time(const std::string& word) {
  const char* const functions[] = {"NOW", "SYSDATE", "CURDATE", "CURTIME", "UNIX_TIMESTAMP"};
  const char* const beginnings[] = {"CURRENT_", "LOCALTIME", "UTC_"};
  return std::any_of(std::begin(functions), std::end(functions), [&](const char* name) { return word == name; }) ||
         std::any_of(std::begin(beginnings), std::end(beginnings),
                     [&](const char* b) { return word.rfind(b, 0) == 0; });
}

// Of each word, in capitals, and what follows it; true as soon as `found` is.
template <class Found>
bool any_word(const std::string& sql, const Found& found) {
  for (std::size_t begin = 0; begin < sql.size(); ++begin) {
    if (!part_of_word(sql[begin])) continue;
    std::string word;
    std::size_t end = begin;
    for (; end < sql.size() && part_of_word(sql[end]); ++end) {
      word += static_cast<char>(std::toupper(static_cast<unsigned char>(sql[end])));
    }
    if (found(word, end)) return true;
    begin = end;
  }
  return false;
}

}  // namespace

bool may_tell_whole_seconds(const std::string& sql) {
  return any_word(sql, [&](const std::string& word, std::size_t end) {
    return about_time(word) && sql.compare(end, 3, "(6)") != 0;
  });
}

bool may_read_clock(const std::string& sql) {
  return any_word(sql, [](const std::string& word, std::size_t) { return asks_for_time(word); });
}

}  // namespace holdfast
