// A file of named SQL statements, pasteable into a database client as it stands.
//
//   SET @key = 'orders', @ttl = 2;         -- values for a person who pastes the file; skipped here
//   -- name: acquire
//   INSERT INTO t VALUES (@key, NOW() + INTERVAL @ttl SECOND);
//
// `@word` is a parameter and becomes an escaped literal; `@@word` and anything inside quotes is left alone. Where a
// client of the server's writes its variables with colons, so do its files (SqlMarks::colon): `:word`, or `:'word'` for
// a text; `::word` is no parameter. Comment lines are dropped. A name's text may hold several statements; they are sent
// together.
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

// The comment of a table that holdfast made beside tables of others: the sign by which it knows its own.
inline constexpr const char* kTableSign = "made by holdfast; holdfast clean --target removes it";

enum class SqlMarks : std::uint8_t { at, colon };

// Adds kTableSign to the text that makes these tables, in the server's own words. Throws std::logic_error where it
// cannot: without its sign a table of ours could not be told from another's.
using SqlSign = std::function<void(std::string& schema, const std::vector<std::string>& tables)>;

class SqlFile {
 public:
  // Throws BadInput naming the file for a statement without a name, a duplicate name, or an unended quote.
  static SqlFile parse(std::string_view text, const std::string& file, SqlMarks marks = SqlMarks::at);
  static SqlFile parse(const StatementFile& file, SqlMarks marks = SqlMarks::at) {
    return parse(file.text, file.path, marks);
  }

  bool has(std::string_view name) const { return statements_.find(name) != statements_.end(); }
  std::vector<std::string> names() const;
  std::vector<std::string> parameters(std::string_view name) const;  // each once
  std::string text(std::string_view name) const;                     // as in the file, with the parameters' names

  // Whether one of them is several, parted by semicolons: only then must its connection take several in one message.
  bool several() const;

  // The same statements on tables of other names: each that one of them makes gets the prefix, wherever it stands as a
  // word outside quotes, and its sign. An empty prefix changes nothing.
  SqlFile with_prefix(const std::string& prefix, const SqlSign& sign) const;

  // The statement with its parameters in place; `quote` turns a string into a quoted, escaped literal. These three
  // throw std::logic_error when the statement or a parameter is unknown: the lock's code and its SQL file disagree.
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

}  // namespace holdfast
