#include "servers/mysql/sql_text.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "artifact/error.hpp"
#include "artifact/pattern.hpp"
#include "artifact/units.hpp"

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

// Calls `found` with each word, in capitals, and the text after it; returns true as soon as `found` does.
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

std::size_t places(const std::string& text, const std::string& pattern) {
  return Pattern(pattern, Pattern::Case::ignored).places(text).size();
}

// Position of the seconds.
struct Place {
  std::size_t begin = 0;
  std::size_t length = 0;
};

bool is_word(const std::string& sql, std::size_t at, std::string_view word) {
  if (at > 0 && part_of_word(sql[at - 1])) return false;
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (at + i >= sql.size() || std::toupper(static_cast<unsigned char>(sql[at + i])) != word[i]) return false;
  }
  return at + word.size() == sql.size() || !part_of_word(sql[at + word.size()]);
}

// Position after a quoted text that begins at `at`, or `at` itself.
std::size_t after_quote(const std::string& sql, std::size_t at) {
  const char quote = sql[at];
  if (quote != '\'' && quote != '"' && quote != '`') return at;
  for (std::size_t i = at + 1; i < sql.size(); ++i) {
    if (sql[i] == '\\' && quote != '`') {
      ++i;
    } else if (sql[i] == quote) {
      return i + 1;
    }
  }
  return sql.size();
}

std::optional<std::size_t> find_word(const std::string& sql, std::string_view word) {
  for (std::size_t at = 0; at < sql.size(); ++at) {
    const std::size_t after = after_quote(sql, at);
    if (after != at) {
      at = after - 1;
    } else if (is_word(sql, at, word)) {
      return at;
    }
  }
  return std::nullopt;
}

// The text between the last comma and the closing bracket of the list that begins at or after `at`.
std::optional<Place> last_argument(const std::string& sql, std::size_t at) {
  std::size_t begin = 0;
  int depth = 0;
  while (at < sql.size()) {
    const std::size_t after = after_quote(sql, at);
    if (after != at) {
      at = after;
      continue;
    }
    const char letter = sql[at];
    if (letter == '(') ++depth;
    if (letter == ',' && depth == 1) begin = at + 1;
    if (letter == ')' && --depth == 0) {
      if (begin == 0) return std::nullopt;
      return Place{begin, at - begin};
    }
    ++at;
  }
  return std::nullopt;
}

std::optional<double> number(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (end == text.c_str() || value < 0) return std::nullopt;
  while (std::isspace(static_cast<unsigned char>(*end)) != 0) ++end;
  return *end == '\0' ? std::optional<double>(value) : std::nullopt;
}

std::optional<Place> place_of_wait(const std::string& sql) {
  if (const auto get_lock = find_word(sql, "GET_LOCK")) return last_argument(sql, *get_lock);
  const auto wait = find_word(sql, "WAIT");
  if (!wait || !find_word(sql, "SELECT")) return std::nullopt;
  std::size_t begin = *wait + 4;
  while (begin < sql.size() && sql[begin] == ' ') ++begin;
  std::size_t end = begin;
  while (end < sql.size() && (part_of_word(sql[end]) || sql[end] == '.')) ++end;
  if (end == begin) return std::nullopt;
  return Place{begin, end - begin};
}

std::string with_seconds(const std::string& sql, const Place& place, const std::string& seconds) {
  return sql.substr(0, place.begin) + " " + seconds + sql.substr(place.begin + place.length);
}

}  // namespace

bool may_hide_state(const std::string& sql) {
  static const Pattern changes_tables(R"((^|;)\s*(CREATE|ALTER|DROP|RENAME|TRUNCATE|LOCK|CALL|PREPARE|SET)\b)",
                                      Pattern::Case::ignored);
  static const Pattern of_the_session(
      R"(\b(LAST_INSERT_ID|FOUND_ROWS|ROW_COUNT|NEXTVAL|LASTVAL|SETVAL)\s*\(|\bTEMPORARY\b|\bNEXT\s+VALUE\b|@[`'"]|:=)",
      Pattern::Case::ignored);
  return changes_tables.in(sql) || of_the_session.in(sql);
}

bool may_tell_whole_seconds(const std::string& sql) {
  return any_word(sql, [&](const std::string& word, std::size_t end) {
    return about_time(word) && sql.compare(end, 3, "(6)") != 0;
  });
}

bool may_read_clock(const std::string& sql) {
  return any_word(sql, [](const std::string& word, std::size_t) { return asks_for_time(word); });
}

bool only_counted(const std::string& column, const std::vector<std::string>& statements) {
  const std::string name = "\\b" + column + "\\b";
  return std::all_of(statements.begin(), statements.end(), [&](const std::string& text) {
    if (text.find("SELECT *") != std::string::npos) return false;
    return places(text, name) == 2 * places(text, name + "\\s*=\\s*" + name + "\\s*\\+");
  });
}

SqlWait without_wait(const std::string& sql) {
  const auto place = place_of_wait(sql);
  if (!place) return {sql, 0};
  const auto seconds = number(sql.substr(place->begin, place->length));
  if (!seconds) {
    throw Unavailable("explore cannot simulate the wait of '" + sql +
                      "': its time limit is not a plain number of at least 0; remedy: write the seconds as a number, "
                      "or test the lock with holdfast run");
  }
  if (*seconds == 0) return {sql, 0};
  return {with_seconds(sql, *place, "0"), static_cast<std::int64_t>(*seconds * kSecond_us)};
}

std::string with_wait(const std::string& sql, int seconds) {
  const auto place = place_of_wait(sql);
  if (!place || without_wait(sql).wait_us == 0) return sql;
  return with_seconds(sql, *place, std::to_string(seconds));
}

}  // namespace holdfast
