// Locks of the user's own in the place of a lock's name, as every command takes them:
//
//   holdfast try my_lock.sql          a file of statements
//   holdfast try my_lock              the same, where my_lock.sql is here and no lock is called so
//   holdfast run generated --lock ./my_lock    the folder of its lock.json, or the file
//   holdfast run my_lock.sql          the suite that is made for it
//
//   take_lock_words(flags.locks, flags);   // {"my_lock.sql+found_rows"} becomes {"my_lock+found_rows"}
#pragma once

#include <string>
#include <vector>

#include "cli/run_flags.hpp"

namespace holdfast {

// Replaces each such word by the lock's name, and adds its file to the flags. Throws BadInput for a file that is no
// lock.
void take_lock_words(std::vector<std::string>& locks, ServerFlags& flags);

// Replaces files of statements among the suites of a run by their locks, and adds the suite that is made for these.
void take_lock_files_of_suites(RunFlags& flags);

}  // namespace holdfast
