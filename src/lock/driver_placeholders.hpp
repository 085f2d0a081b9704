// What stands for a value in the text of a program's own statements, and for nothing in a file of statements: people
// paste `?`, `%s`, `%(key)s`, `$1` or `:key` from their code, and a server would take them for something else, or a
// lock for a key of that very name.
//
// What is inside quotes or a comment is none. It knows nothing of a language but how its quotes and comments look.
#pragma once

#include <cstddef>
#include <string>

#include "servers/server_type.hpp"

namespace holdfast {

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
