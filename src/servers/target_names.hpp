// The names of what holdfast makes on a server of the user's own, and how a name is written into a statement.
//
//   holdfast_1a2b3c4d                     a run
//   holdfast_1a2b3c4d_17_                 its 17th trial: what every table and key of it begins with
//   holdfast_1a2b3c4d_17_insert_lease     a table
//
// Others choose their names as they like, also to look like ours. So a name counts as ours only if it is one byte by
// byte, from its first to its last; what merely begins like ours is somebody else's. Having such a name is not enough
// either: see sandbox.hpp for the sign that a table or key needs.
#pragma once

#include <string>
#include <string_view>

namespace holdfast {

bool is_run_name(std::string_view name);
bool is_trial_prefix(std::string_view name);
bool is_our_table(std::string_view name);

// Of a trial's prefix or a table of ours: the run.
std::string run_of(std::string_view name);

// As an identifier of SQL: in backticks, those within it doubled.
std::string quoted_name(std::string_view name);

}  // namespace holdfast
