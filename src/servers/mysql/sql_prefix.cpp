// Statements on tables of other names (SqlFile::with_prefix).
#include <algorithm>
#include <cctype>
#include <stdexcept>

#include "servers/mysql/sql_file.hpp"

namespace holdfast {
namespace {

constexpr std::string_view kCreate = "CREATE TABLE ";
constexpr std::string_view kEngine = "ENGINE = InnoDB";

bool in_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

std::vector<std::string> made_tables(const std::string& schema) {
  std::vector<std::string> out;
  for (auto at = schema.find(kCreate); at != std::string::npos; at = schema.find(kCreate, at + 1)) {
    const auto begin = at + kCreate.size();
    out.push_back(schema.substr(begin, schema.find_first_of(" (\n", begin) - begin));
  }
  return out;
}

// Words of a text are the longest stretches of letters, digits and underscores; quotes are stepped over.
std::string renamed(const std::string& text, const std::vector<std::string>& tables, const std::string& prefix) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i + 1;
    if (const char c = text[i]; c == '\'' || c == '"' || c == '`') {
      end = text.find(c, i + 1) + 1;  // the reader has seen that it ends
    } else if (in_word(c)) {
      while (end < text.size() && in_word(text[end])) ++end;
      const bool table = std::find(tables.begin(), tables.end(), text.substr(i, end - i)) != tables.end();
      if (table && (i == 0 || text[i - 1] != '@')) out += prefix;
    }
    out += text.substr(i, end - i);
    i = end;
  }
  return out;
}

void sign(std::string& schema, std::size_t tables) {
  const std::string comment = std::string(" COMMENT = '") + kTableSign + "'";
  std::size_t found = 0;
  for (auto at = schema.find(kEngine); at != std::string::npos; at = schema.find(kEngine, at + kEngine.size())) {
    schema.insert(at + kEngine.size(), comment);
    ++found;
  }
  if (found != tables) throw std::logic_error("a table's end is not written as " + std::string(kEngine));
}

}  // namespace

SqlFile SqlFile::with_prefix(const std::string& prefix) const {
  if (prefix.empty()) return *this;
  std::vector<std::string> tables;
  for (const auto& [name, pieces] : statements_) {
    for (const auto& piece : pieces) {
      for (auto& table : made_tables(piece.text)) tables.push_back(std::move(table));
    }
  }
  SqlFile out;
  for (const auto& [name, pieces] : statements_) {
    for (Piece piece : pieces) {
      if (!piece.parameter) piece.text = renamed(piece.text, tables, prefix);
      if (const auto made = made_tables(piece.text).size(); !piece.parameter && made > 0) sign(piece.text, made);
      out.statements_[name].push_back(std::move(piece));
    }
  }
  return out;
}

}  // namespace holdfast
