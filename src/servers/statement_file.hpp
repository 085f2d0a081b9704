// A file of a lock's named statements, as it stands in the source tree; what language it is in is its server's affair.
#pragma once

#include <string>
#include <string_view>

namespace holdfast {

struct StatementFile {
  std::string path;       // "sql/insert_lease.sql"
  std::string_view text;  // which is part of the program
};

}  // namespace holdfast
