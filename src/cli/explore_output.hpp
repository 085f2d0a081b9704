// What `holdfast explore` and `holdfast replay` print.
#pragma once

#include <string>
#include <vector>

#include "artifact/shell_command.hpp"
#include "explore/explore_result.hpp"

namespace holdfast {

// One result: sentence, numbers, the counterexample in columns. `files`:
// the flags that name files of statements, which a replay needs as well.
void print_explored(const ExploreResult& result, const std::string& folder, const ShellCommand& files);

// Of a schedule that was run again.
void print_replayed(const ExploreResult& result, int repeats);

// Several, one line each.
void print_explored_table(const std::vector<ExploreResult>& results);

}  // namespace holdfast
