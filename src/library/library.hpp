// A published lock library that holdfast has adapters for: a folder of `libraries/`, which says what is installed, and
// with which client. It is opt-in: nothing of a library comes with holdfast.
//
//   libraries/redis_py/library.json     {"name": "redis_py", "package": "redis", "version": "8.1.0", ...}
//   libraries/redis_py/lock.json        an adapter's manifest (adapter/manifest.hpp); lock_*.json: further ones
//   libraries/languages/python/         what all adapters in a language share, with the step that installs (install.sh)
//
//   for (const Library& one : libraries_in(shipped_folder("libraries"))) ...
//
// Errors: BadInput with file, line and remedy.
#pragma once

#include <string>
#include <vector>

namespace holdfast {

struct Library {
  std::string folder;  // where library.json lies; not a key
  std::string name;    // the folder's own
  std::string title;
  std::string language;  // a folder of libraries/languages
  std::string package;   // as the registry of its language names it
  std::string version;   // the one that its lock file pins
  std::string licence;   // as SPDX writes it
  std::string home;
  std::string note;  // what a reader of a report must know besides; may be empty
};

Library load_library(const std::string& folder);

// By name.
std::vector<Library> libraries_in(const std::string& folder);

// The manifests' files in its folder: lock.json first.
std::vector<std::string> manifests_of(const std::string& folder);

// "redis_py", or "redis_py@4.3.4": a version that is not the pinned one.
struct LibraryRef {
  std::string name;
  std::string version;  // empty: the pinned one
};

// Whether it is written as one with a version.
bool names_version(const std::string& text);

// The library of that name. Throws BadInput, with those that there are.
const Library& find_library(const std::vector<Library>& all, const std::string& name);

// Throws BadInput where the version could not be one.
LibraryRef parse_library_ref(const std::string& text);

}  // namespace holdfast
