// How a scenario sets up MariaDB or MySQL.
#pragma once

#include <cstdint>

#include "artifact/scenario.hpp"

namespace holdfast {

struct MySqlSettings {
  std::int64_t flush_log_at_commit = 1;         // with 0, a kill loses what was committed within the last second
  bool explicit_defaults_for_timestamp = true;  // false: a first TIMESTAMP column follows each change of its row
};

inline constexpr const char* kMySqlSettings = R"({
  "innodb_flush_log_at_trx_commit": {
    "enum": [0, 1, 2],
    "description": "when a commit reaches the disk; with 0, a kill loses what was committed within the last second"
  },
  "explicit_defaults_for_timestamp": {
    "type": "boolean",
    "description": "false, as of old: a first TIMESTAMP column is set to the present at each change of its row"
  }
})";

MySqlSettings mysql_settings(const ServerSettings& settings);  // BadInput

}  // namespace holdfast
