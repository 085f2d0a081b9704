// What `holdfast explore` and `holdfast replay` print.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace holdfast {

// One result, from the JSON that the explorer's lab wrote: sentence, numbers, the counterexample in columns.
void print_explored(const nlohmann::json& result, const std::string& folder);

// Of a schedule that was run again.
void print_replayed(const nlohmann::json& result);

// Several, one line each.
void print_explored_table(const nlohmann::json& results);

}  // namespace holdfast
