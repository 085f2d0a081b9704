#include "explore/whole_seconds.hpp"

#include <algorithm>
#include <cctype>

namespace holdfast {
namespace {

bool of_a_word(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_';
}

bool about_time(const std::string& word) {
  if (word == "UPDATE" || word == "MICROSECOND") return false;
  const char* const parts[] = {"TIME", "DATE", "SECOND", "MINUTE", "HOUR", "DAY", "NOW"};
  return std::any_of(std::begin(parts), std::end(parts),
                     [&](const char* part) { return word.find(part) != std::string::npos; });
}

}  // namespace

bool may_tell_whole_seconds(const std::string& sql) {
  for (std::size_t begin = 0; begin < sql.size(); ++begin) {
    if (!of_a_word(sql[begin])) continue;
    std::string word;
    std::size_t end = begin;
    for (; end < sql.size() && of_a_word(sql[end]); ++end) {
      word += static_cast<char>(std::toupper(static_cast<unsigned char>(sql[end])));
    }
    if (about_time(word) && sql.compare(end, 3, "(6)") != 0) return true;
    begin = end;
  }
  return false;
}

}  // namespace holdfast
