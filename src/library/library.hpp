// A published lock library with adapters in holdfast: a folder of `libraries/` that states what to install, and with
// which client. Installation is opt-in: no library is shipped with holdfast.
//
//   libraries/redis_py/library.json     {"name": "redis_py", "package": "redis", "version": "8.1.0", ...}
//   libraries/redis_py/lock.json        an adapter's manifest (adapter/manifest.hpp); lock_*.json: further ones
//   libraries/languages/python/         shared by all adapters in a language, with install.sh
//
//   for (const Library& one : libraries_in(shipped_folder("libraries"))) ...
//
// Errors: BadInput with file, line and remedy.
#pragma once

#include <string>
#include <vector>

namespace holdfast {

struct Library {
  std::string folder;  // folder of library.json; not a key
  std::string name;    // the folder's own
  std::string title;
  std::string language;  // a folder of libraries/languages
  std::string package;   // its name in the language's registry
  std::string version;   // version pinned by its lock file
  std::string licence;   // SPDX identifier
  std::string home;
  std::string note;  // further information for readers of a report; may be empty
};

Library load_library(const std::string& folder);

// Sorted by name.
std::vector<Library> libraries_in(const std::string& folder);

// The manifests' files in its folder: lock.json first.
std::vector<std::string> manifests_of(const std::string& folder);

// "redis_py", or "redis_py@4.3.4" for a version other than the pinned one.
struct LibraryRef {
  std::string name;
  std::string version;  // empty: the pinned one
};

// Returns true if the text contains a version.
bool names_version(const std::string& text);

// Finds a library by name. Throws BadInput with the list of known ones.
const Library& find_library(const std::vector<Library>& all, const std::string& name);

// Throws BadInput for an impossible version.
LibraryRef parse_library_ref(const std::string& text);

}  // namespace holdfast
