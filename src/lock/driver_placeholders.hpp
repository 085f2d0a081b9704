// What stands for a value in the text of a program's own statements, and for nothing in a file of statements: people
// paste `?`, `%s`, `%(key)s`, `$1` or `:key` from their code, and a server would take them for something else, or a
// lock for a key of that very name.
//
//   first_placeholder("INSERT INTO t\nVALUES (?, ?)", "@key")   -> {"?", 1}
//   first_placeholder("data ? 'k'", ":'key'")                   -> nothing: PostgreSQL's operator stands between
//   operands
//
// What is inside quotes or a comment is none. It knows nothing of a language but how its quotes and comments look.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "servers/server_type.hpp"

namespace holdfast {

struct DriverPlaceholder {
  std::string text;      // "%s"
  std::size_t line = 0;  // from 0
};

// `own`: how this language writes the parameter `key` in such a file: @key, :'key' or "$key".
std::optional<DriverPlaceholder> first_placeholder(std::string_view statement, std::string_view own);

// The form of a parameter in files of this language: @key, :'key' or "$key".
std::string as_parameter(const std::string& name, const StatementForm& form);

// A statement of a file, where it stands.
struct PastedStatement {
  std::string path;
  std::string name;
  std::size_t line = 0;  // its first, of the file
  std::string text;
};

// Throws BadInput with file, line and remedy.
void refuse_placeholders(const PastedStatement& statement, const StatementForm& form);

}  // namespace holdfast
