// A file of named SQL statements that can be pasted into a database client.
//
//   SET @key = 'orders', @ttl = 2;         -- values for a person who pastes the file; skipped here
//   -- name: acquire
//   INSERT INTO t VALUES (@key, NOW() + INTERVAL @ttl SECOND);
//
// `@word` is a parameter and becomes an escaped literal; `@@word` and text inside quotes stay. For servers whose client
// writes variables with colons (SqlMarks::colon): `:word`, or `:'word'` for a text; `::word` is not a parameter.
// Comment lines are dropped. A name may have several statements, which are sent together.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "servers/statement_file.hpp"
#include "store/session.hpp"

namespace holdfast {

// Comment of tables made by holdfast in a shared database, by which it recognizes its own.
inline constexpr const char* kTableSign = "made by holdfast; holdfast clean --target removes it";

enum class SqlMarks : std::uint8_t { at, colon };

// Adds kTableSign to the text that creates these tables, in the server's syntax. Throws std::logic_error if impossible:
// without the mark such a table could not be distinguished from a foreign one.
using SqlSign = std::function<void(std::string& schema, const std::vector<std::string>& tables)>;

class SqlFile {
 public:
  // Throws BadInput with the file's name for a statement without a name, a duplicate name, or an unterminated quote.
  static SqlFile parse(std::string_view text, const std::string& file, SqlMarks marks = SqlMarks::at);
  static SqlFile parse(const StatementFile& file, SqlMarks marks = SqlMarks::at) {
    return parse(file.text, file.path, marks);
  }

  bool has(std::string_view name) const { return statements_.find(name) != statements_.end(); }
  std::vector<std::string> names() const;
  std::vector<std::string> parameters(std::string_view name) const;  // without duplicates
  std::string text(std::string_view name) const;                     // as in the file, with parameter names

  // Returns true if a text has several statements, separated by semicolons: only then must its connection accept
  // several in one message.
  bool several() const;

  // The same statements with renamed tables: each table created by one of them gets the prefix, wherever its name
  // occurs as a word outside quotes, and its mark. An empty prefix changes nothing.
  SqlFile with_prefix(const std::string& prefix, const SqlSign& sign) const;

  // The statement with its parameters filled in; `quote` turns a string into a quoted, escaped literal. These three
  // throw std::logic_error for an unknown statement or parameter: the lock's code and its SQL file disagree.
  using Quote = std::function<std::string(const std::string&)>;
  std::string bind(std::string_view name, Params params, const Quote& quote) const;

 private:
  struct Piece {
    std::string text;
    bool parameter = false;
  };
  const std::vector<Piece>& pieces_of(std::string_view name) const;
  static std::vector<Piece> split(const std::string& sql, const std::string& where, SqlMarks marks);
  std::map<std::string, std::vector<Piece>, std::less<>> statements_;
};

// The statement `schema`, which makes the tables; empty: the file has none.
inline std::string schema_of(const SqlFile& file) {
  return file.has("schema") ? file.text("schema") : "";
}

}  // namespace holdfast
