// Detects placeholders of client drivers in files of statements, where they have no meaning: people paste `?`, `%s`,
// `%(key)s`, `$1` or `:key` from their code, which a server would misinterpret, or take as a key of that name.
//
// Text inside quotes or comments is ignored. Of a language it knows only the form of quotes and comments.
#pragma once

#include <cstddef>
#include <string>

#include "servers/server_type.hpp"

namespace holdfast {

// The form of a parameter in files of this language: @key, :'key' or "$key".
std::string as_parameter(const std::string& name, const StatementForm& form);

// A statement with its position in the file.
struct PastedStatement {
  std::string path;
  std::string name;
  std::size_t line = 0;  // its first line in the file
  std::string text;
};

// Throws BadInput with file, line and remedy.
void refuse_placeholders(const PastedStatement& statement, const StatementForm& form);

}  // namespace holdfast
