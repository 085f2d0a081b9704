// Accepts a user's own locks wherever a command takes the name of a lock:
//
//   holdfast try my_lock.sql          a file of statements
//   holdfast try my_lock              the same, if my_lock.sql is here and no known lock has that name
//   holdfast run generated --lock ./my_lock    the folder of its lock.json, or that file
//   holdfast run my_lock.sql          the suite generated for it
//   holdfast explore redis_py@8.1.0   an installed library (cli/library_words.hpp)
//
//   take_lock_words(flags.locks, flags);   // {"my_lock.sql+found_rows"} becomes {"my_lock+found_rows"}
#pragma once

#include <string>
#include <vector>

#include "cli/run_flags.hpp"

namespace holdfast {

// Replaces each such word by the lock's name, and adds its file to the flags. Throws BadInput if a file is not a lock.
void take_lock_words(std::vector<std::string>& locks, ServerFlags& flags);

// Replaces files of statements among a run's suites by their locks, and adds the generated suite.
void take_lock_files_of_suites(RunFlags& flags);

// Replaces all words of a command that takes a run's suites and locks: files, libraries with a version, adapters, which
// it registers. A generated suite without a lock gets those that the flags name.
void take_suite_words(RunFlags& flags);

}  // namespace holdfast
