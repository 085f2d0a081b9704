// Output of `holdfast explore` and `holdfast replay`.
#pragma once

#include <string>
#include <vector>

#include "artifact/shell_command.hpp"
#include "explore/explore_result.hpp"

namespace holdfast {

// Prints one result: sentence, numbers, and the counterexample in columns. `files`: the flags that name files of
// statements, which a replay needs as well.
void print_explored(const ExploreResult& result, const std::string& folder, const ShellCommand& files);

// Prints the result of a repeated schedule.
void print_replayed(const ExploreResult& result, int repeats);

// Prints several results, one line each.
void print_explored_table(const std::vector<ExploreResult>& results);

}  // namespace holdfast
