#include "relay/sql_words.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace holdfast {
namespace {

constexpr std::size_t kLongestStatement = 240;
constexpr std::size_t kLongestValue = 60;
constexpr auto kNotPlain = std::to_array<std::string_view>({"for", "into", "lock", "procedure", "nextval"});

bool in_word(char c) {
  return c == '_' || c == '@' || std::isalnum(static_cast<unsigned char>(c)) != 0;
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

// Comments, and words before the statement itself, say nothing about it.
std::string_view without_comments(std::string_view sql) {
  while (true) {
    const std::size_t begin = sql.find_first_not_of(" \t\r\n(");
    if (begin == std::string_view::npos) return {};
    sql.remove_prefix(begin);
    const bool is_block = sql.substr(0, 2) == "/*" && sql.substr(0, 3) != "/*!";
    const bool is_line = sql.substr(0, 2) == "--";
    if (!is_block && !is_line) return sql;
    const std::size_t end = sql.find(is_block ? "*/" : "\n");
    if (end == std::string_view::npos) return {};
    sql.remove_prefix(end + (is_block ? 2 : 1));
  }
}

std::string clipped_line(std::string_view text, std::size_t longest) {
  std::string out;
  for (const char c : text) {
    const bool blank = static_cast<unsigned char>(c) <= ' ' || c == '\x7f';
    if (!blank) out += c;
    if (blank && !out.empty() && out.back() != ' ') out += ' ';
    if (out.size() > longest) return out.substr(0, longest) + "...";
  }
  if (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

}  // namespace

std::string sql_line(std::string_view sql) {
  return clipped_line(without_comments(sql), kLongestStatement);
}

std::string sql_value(std::string_view text) {
  const bool is_number = !text.empty() && text.size() < 20 &&
                         std::all_of(text.begin(), text.end(),
                                     [](unsigned char c) { return std::isdigit(c) != 0 || c == '.' || c == '-'; });
  const std::string line = clipped_line(text, kLongestValue);
  return is_number ? line : "'" + line + "'";
}

std::vector<std::string> sql_words(std::string_view sql) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at < sql.size();) {
    const char c = sql[at];
    if (c == '\'' || c == '"') {
      const std::size_t end = std::min(sql.find(c, at + 1), sql.size());
      out.emplace_back(sql.substr(at + 1, end - at - 1));
      at = end + 1;
    } else if (in_word(c)) {
      std::size_t end = at;
      while (end < sql.size() && in_word(sql[end])) ++end;
      out.emplace_back(sql.substr(at, end - at));
      at = end;
    } else {
      ++at;
    }
  }
  return out;
}

std::string sql_name(std::string_view sql) {
  sql = without_comments(sql);
  std::size_t end = 0;
  while (end < sql.size() && in_word(sql[end])) ++end;
  const std::string word = lower(std::string(sql.substr(0, end)));
  if (word != "select") return word.empty() ? "statement" : word;
  const std::size_t begin = sql.find_first_not_of(" \t\r\n", end);
  if (begin == std::string_view::npos) return word;
  std::size_t after = begin;
  while (after < sql.size() && in_word(sql[after])) ++after;
  const bool calls = after > begin && after < sql.size() && sql[after] == '(';
  return calls ? lower(std::string(sql.substr(begin, after - begin))) : word;
}

bool sql_only_reads(std::string_view sql) {
  sql = without_comments(sql);
  if (sql_name(sql) != "select" || sql.find('(') != std::string_view::npos) return false;
  if (sql.find(';') != std::string_view::npos && sql.find(';') + 1 < sql.size()) return false;
  for (const auto& word : sql_words(sql)) {
    if (std::find(kNotPlain.begin(), kNotPlain.end(), lower(word)) != kNotPlain.end()) return false;
  }
  return true;
}

}  // namespace holdfast
