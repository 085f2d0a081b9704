#include "cli/library_words.hpp"

#include <algorithm>
#include <filesystem>

#include "adapter/manifest.hpp"
#include "artifact/error.hpp"
#include "artifact/json_text.hpp"
#include "artifact/run_directory.hpp"
#include "cli/command.hpp"
#include "cli/stored.hpp"
#include "library/installed.hpp"
#include "lock/added_locks.hpp"

namespace holdfast {
namespace {

// Name in another version of a lock of the pinned version.
std::string lock_among(const std::vector<std::string>& names, const std::string& wanted, const std::string& word) {
  const auto fits = [&wanted](const std::string& name) { return name == wanted || name.starts_with(wanted + "_v"); };
  const auto found = std::find_if(names.begin(), names.end(), fits);
  if (found == names.end()) throw BadInput("'" + word + "': " + unknown_word("lock of that library", wanted, names));
  return *found;
}

}  // namespace

std::vector<Library> shipped_libraries() {
  return libraries_in(needed_folder("libraries"));
}

std::vector<std::string> add_library(const Library& library, const std::string& version, ServerFlags& flags) {
  const std::string root = libraries_folder();
  const std::string words = library.name + (version.empty() ? "" : "@" + version);
  if (!is_installed(root, library, version)) {
    const bool old = std::filesystem::is_directory(installed_at(root, library, version));
    throw Unavailable("the library " + words +
                      (old ? " is not installed in the version that this program expects" : " is not installed") +
                      "; remedy: holdfast libraries install " + words);
  }
  std::vector<std::string> out;
  for (const auto& file : manifests_of(installed_at(root, library, version))) {
    out.push_back(load_manifest(file).name);
    const bool known = std::find(flags.adapters.begin(), flags.adapters.end(), file) != flags.adapters.end();
    if (!known) flags.adapters.push_back(file);
  }
  if (out.empty()) throw HarnessError(installed_at(root, library, version) + ": has no lock.json");
  return out;
}

void add_libraries_of_run(const std::string& folder, const std::vector<std::string>& locks, ServerFlags& flags) {
  if (!RunDirectory(folder).has("run.json") || !stored_manifest(folder).flags.libraries) return;
  const auto of_the_run = [&locks](const std::string& lock) {
    return std::find(locks.begin(), locks.end(), lock) != locks.end();
  };
  for (const auto& library : shipped_libraries()) {
    for (const auto& version : installed_versions(libraries_folder(), library)) {
      ServerFlags with = flags;
      const auto names = add_library(library, version, with);
      if (std::any_of(names.begin(), names.end(), of_the_run)) flags.adapters = with.adapters;
    }
  }
}

void take_library_words(std::vector<std::string>& locks, ServerFlags& flags) {
  const auto of_library = [](const std::string& word) {
    std::error_code none;
    return names_version(word) && !is_lock_file(word) && !std::filesystem::exists(word, none);
  };
  if (std::none_of(locks.begin(), locks.end(), of_library)) return;
  const auto all = shipped_libraries();
  for (auto& word : locks) {
    if (!of_library(word)) continue;
    LibraryRef ref = parse_library_ref(word);
    const auto slash = ref.name.find('/');
    const std::string lock = slash == std::string::npos ? "" : ref.name.substr(slash + 1);
    const auto names = add_library(find_library(all, ref.name.substr(0, slash)), ref.version, flags);
    word = lock.empty() ? names.front() : lock_among(names, lock, word);
  }
}

}  // namespace holdfast
