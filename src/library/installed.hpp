// Libraries that are installed, each version in a folder of its own, so that two can be compared.
//
//   const std::string root = libraries_folder();           // of this user; nothing is installed anywhere else
//   install_library(library, "", root);                    // ROOT/redis_py@8.1.0, as its lock file pins it
//   install_library(library, "4.3.4", root);               // ROOT/redis_py@4.3.4, beside it
//   for (const auto& file : manifests_of(installed_at(root, library, ""))) ...
//
// An installation copies the library's folder and that of its language, and runs their install.sh there, which calls
// the ordinary client of the language (pip, npm, Maven, Go, Cargo). What is complete has a file installed.json, written
// last: one that was cut off is never taken for it, and is made anew. So is one that another holdfast made of other
// files (a copy of them is in .made_of): an old adapter is never run in the place of this program's. The locks of
// another version have names of their own, redis_py_lock_v4_3_4.
//
// Errors: Unavailable, when the client is missing; HarnessError, when it fails, with its words on standard error.
#pragma once

#include <string>

#include "library/library.hpp"

namespace holdfast {

// $HOLDFAST_LIBRARIES, or /var/lib/holdfast/libraries of root, or holdfast/libraries in $XDG_DATA_HOME
// (~/.local/share) of anybody else. A lab that root starts cannot see what lies below /root.
std::string libraries_folder();

// Where that version would be; empty: the pinned one.
std::string installed_at(const std::string& root, const Library& library, const std::string& version);
bool is_installed(const std::string& root, const Library& library, const std::string& version);

// Returns its folder. What is installed already stays as it is.
std::string install_library(const Library& library, const std::string& version, const std::string& root);

// False: it was not there.
bool remove_library(const std::string& root, const Library& library, const std::string& version);

}  // namespace holdfast
