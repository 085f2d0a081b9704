// Libraries on the command line: what `libraries run redis_py` runs, and what `compare redis_py@8.1.0 redis_py@4.3.4`
// means.
#pragma once

#include <string>
#include <vector>

#include "cli/run_flags.hpp"
#include "library/library.hpp"

namespace holdfast {

// Those that come with holdfast; throws HarnessError where their folder is missing.
std::vector<Library> shipped_libraries();

// The locks of an installed library, as adapters: their names, in the order of their manifests. Throws Unavailable,
// with the remedy, where it is not installed.
std::vector<std::string> add_library(const Library& library, const std::string& version, ServerFlags& flags);

// NAME@VERSION among the names of locks becomes the first lock of that library, NAME/LOCK@VERSION that one of its
// locks.
void take_library_words(std::vector<std::string>& locks, ServerFlags& flags);

}  // namespace holdfast
