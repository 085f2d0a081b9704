// Resolves libraries on the command line: `libraries run redis_py`, and `compare redis_py@8.1.0 redis_py@4.3.4`.
#pragma once

#include <string>
#include <vector>

#include "cli/run_flags.hpp"
#include "library/library.hpp"

namespace holdfast {

// Libraries shipped with holdfast; throws HarnessError if their folder is missing.
std::vector<Library> shipped_libraries();

// Registers an installed library's locks as adapters: returns their names, in the order of their manifests. Throws
// Unavailable with the remedy if it is not installed.
std::vector<std::string> add_library(const Library& library, const std::string& version, ServerFlags& flags);

// Adds the installed libraries that have one of these locks, if the folder's run was one of libraries.
void add_libraries_of_run(const std::string& folder, const std::vector<std::string>& locks, ServerFlags& flags);

// Replaces NAME@VERSION among lock names by the first lock of that library, and NAME/LOCK@VERSION by the named one.
void take_library_words(std::vector<std::string>& locks, ServerFlags& flags);

}  // namespace holdfast
