// Installed libraries: each version has its own folder, so that two versions can be compared.
//
//   const std::string root = libraries_folder();           // of this user; the only place where libraries are
//   installed install_library(library, "", root);                    // ROOT/redis_py@8.1.0, pinned by its lock file
//   install_library(library, "4.3.4", root);               // ROOT/redis_py@4.3.4, beside it
//   for (const auto& file : manifests_of(installed_at(root, library, ""))) ...
//
// Installing copies the library's folder and that of its language and runs their install.sh, which calls the language's
// ordinary client (pip, npm, Maven, Go, Cargo). A complete installation has a file installed.json, written last; an
// incomplete one is installed again. So is one that another holdfast made from other files (a copy of them is in
// .made_of), so an old adapter is never run. Locks of another version have their own names, redis_py_lock_v4_3_4.
//
// Errors: Unavailable if the client is missing; HarnessError if it fails, with its output on standard error.
#pragma once

#include <string>
#include <vector>

#include "library/library.hpp"

namespace holdfast {

// $HOLDFAST_LIBRARIES; else /var/lib/holdfast/libraries for root, or holdfast/libraries in $XDG_DATA_HOME
// (~/.local/share) for other users. A lab started by root cannot read files below /root.
std::string libraries_folder();

// Path of that version's installation; empty version: the pinned one.
std::string installed_at(const std::string& root, const Library& library, const std::string& version);
bool is_installed(const std::string& root, const Library& library, const std::string& version);

// Sorted by name.
std::vector<std::string> installed_versions(const std::string& root, const Library& library);

// Returns the installation's folder. An existing installation is left unchanged.
std::string install_library(const Library& library, const std::string& version, const std::string& root);

// Returns false if it was not installed.
bool remove_library(const std::string& root, const Library& library, const std::string& version);

}  // namespace holdfast
