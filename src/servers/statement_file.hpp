// A file of a lock's named statements, as in the source tree; the kind of server defines its language.
#pragma once

#include <string>
#include <string_view>

namespace holdfast {

struct StatementFile {
  std::string path;       // "sql/insert_lease.sql"
  std::string_view text;  // embedded in the program
};

}  // namespace holdfast
