#include "servers/sql_file.hpp"

#include <algorithm>
#include <cctype>
#include <sstream>
#include <stdexcept>

#include "artifact/error.hpp"

namespace holdfast {
namespace {

constexpr std::string_view kMark = "-- name:";

bool in_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

std::string literal(const Value& value, const SqlFile::Quote& quote) {
  if (std::holds_alternative<std::nullptr_t>(value)) return "NULL";
  if (const auto* number = std::get_if<std::int64_t>(&value)) return std::to_string(*number);
  if (const auto* number = std::get_if<std::uint64_t>(&value)) return std::to_string(*number);
  return quote(std::get<std::string>(value));
}

// A parameter that begins at `at`: its name, and the character after it. Without a name: plain text up to `end`.
struct Mark {
  std::string name;
  std::size_t end;
};

std::size_t end_of_word(const std::string& sql, std::size_t at) {
  while (at < sql.size() && in_word(sql[at])) ++at;
  return at;
}

Mark mark_at(const std::string& sql, std::size_t at, SqlMarks marks) {
  const char mark = marks == SqlMarks::at ? '@' : ':';
  if (sql[at] != mark || at + 1 == sql.size()) return {"", at + 1};
  if (sql[at + 1] == mark) return {"", at + 2};
  const bool quoted = marks == SqlMarks::colon && sql[at + 1] == '\'';
  const std::size_t begin = at + (quoted ? 2 : 1);
  const std::size_t end = end_of_word(sql, begin);
  const bool number = marks == SqlMarks::colon && std::isdigit(static_cast<unsigned char>(sql[begin])) != 0;
  if (end == begin || number || (quoted && (end == sql.size() || sql[end] != '\''))) return {"", at + 1};
  return {sql.substr(begin, end - begin), end + (quoted ? 1 : 0)};
}

constexpr std::string_view kCreate = "CREATE TABLE ";

std::vector<std::string> made_tables(const std::string& schema) {
  std::vector<std::string> out;
  for (auto at = schema.find(kCreate); at != std::string::npos; at = schema.find(kCreate, at + 1)) {
    const auto begin = at + kCreate.size();
    out.push_back(schema.substr(begin, schema.find_first_of(" (\n", begin) - begin));
  }
  return out;
}

// Words are the longest sequences of letters, digits and underscores; quoted texts are skipped.
std::string renamed(const std::string& text, const std::vector<std::string>& tables, const std::string& prefix) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i + 1;
    if (const char c = text[i]; c == '\'' || c == '"' || c == '`') {
      end = text.find(c, i + 1) + 1;  // the reader has checked that it ends
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

}  // namespace

SqlFile SqlFile::parse(std::string_view text, const std::string& file, SqlMarks marks) {
  SqlFile out;
  std::map<std::string, std::string> sql;
  std::istringstream in{std::string(text)};
  std::string name;
  std::string line;
  while (std::getline(in, line)) {
    if (line.rfind(kMark, 0) == 0) {
      name = trimmed(line.substr(kMark.size()));
      if (name.empty() || sql.count(name) != 0)
        throw BadInput(file + ": '" + line + "': each statement needs a new name");
      sql[name];
    } else if (line.rfind("--", 0) != 0 && !name.empty()) {
      sql[name] += line + "\n";
    }
  }
  for (const auto& [key, body] : sql) {
    std::string statement = trimmed(body);
    while (!statement.empty() && statement.back() == ';')
      statement = trimmed(statement.substr(0, statement.size() - 1));
    if (statement.empty()) throw BadInput(file + ": '" + key + "' has no statement");
    out.statements_[key] = split(statement, file + ": '" + key + "'", marks);
  }
  return out;
}

std::vector<SqlFile::Piece> SqlFile::split(const std::string& sql, const std::string& where, SqlMarks marks) {
  std::vector<Piece> pieces(1);
  for (std::size_t i = 0; i < sql.size();) {
    if (const char c = sql[i]; c == '\'' || c == '"' || c == '`') {
      const std::size_t end = sql.find(c, i + 1);
      if (end == std::string::npos) throw BadInput(where + ": a quote has no end");
      pieces.back().text += sql.substr(i, end - i + 1);
      i = end + 1;
      continue;
    }
    const Mark mark = mark_at(sql, i, marks);
    if (mark.name.empty()) {
      pieces.back().text += sql.substr(i, mark.end - i);
    } else {
      pieces.push_back({mark.name, true});
      pieces.emplace_back();
    }
    i = mark.end;
  }
  return pieces;
}

std::vector<std::string> SqlFile::names() const {
  std::vector<std::string> out;
  for (const auto& [name, pieces] : statements_) out.push_back(name);
  return out;
}

const std::vector<SqlFile::Piece>& SqlFile::pieces_of(std::string_view name) const {
  const auto found = statements_.find(name);
  if (found == statements_.end())
    throw std::logic_error("no statement named '" + std::string(name) + "' in the SQL file");
  return found->second;
}

std::vector<std::string> SqlFile::parameters(std::string_view name) const {
  std::vector<std::string> out;
  for (const auto& piece : pieces_of(name)) {
    const bool known = std::find(out.begin(), out.end(), piece.text) != out.end();
    if (piece.parameter && !known) out.push_back(piece.text);
  }
  return out;
}

std::string SqlFile::text(std::string_view name) const {
  std::string out;
  for (const auto& piece : pieces_of(name)) out += (piece.parameter ? "@" : "") + piece.text;
  return out;
}

// The reader has removed the last semicolon, and quotes end within their part.
bool SqlFile::several() const {
  for (const auto& [name, pieces] : statements_) {
    for (const auto& piece : pieces) {
      for (std::size_t i = 0; !piece.parameter && i < piece.text.size(); ++i) {
        const char c = piece.text[i];
        if (c == ';') return true;
        if (c == '\'' || c == '"' || c == '`') i = piece.text.find(c, i + 1);
      }
    }
  }
  return false;
}

std::string SqlFile::bind(std::string_view name, Params params, const Quote& quote) const {
  std::string sql;
  for (const auto& piece : pieces_of(name)) {
    if (!piece.parameter) {
      sql += piece.text;
      continue;
    }
    const Param* given = nullptr;
    for (const auto& param : params) {
      if (param.name == piece.text) given = &param;
    }
    if (given == nullptr) throw std::logic_error(std::string(name) + ": parameter @" + piece.text + " is not given");
    sql += literal(given->value, quote);
  }
  return sql;
}

SqlFile SqlFile::with_prefix(const std::string& prefix, const SqlSign& sign) const {
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
      if (const auto made = made_tables(piece.text); !piece.parameter && !made.empty()) sign(piece.text, made);
      out.statements_[name].push_back(std::move(piece));
    }
  }
  return out;
}

}  // namespace holdfast
