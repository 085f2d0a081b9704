// What `holdfast explore` and `holdfast replay` print.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "artifact/shell_command.hpp"

namespace holdfast {

// One result, from the JSON that the explorer's lab wrote: sentence, numbers, the counterexample in columns. `files`:
// the flags that name files of statements, which a replay needs as well.
void print_explored(const nlohmann::json& result, const std::string& folder, const ShellCommand& files);

// Of a schedule that was run again.
void print_replayed(const nlohmann::json& result);

// Several, one line each.
void print_explored_table(const nlohmann::json& results);

}  // namespace holdfast
