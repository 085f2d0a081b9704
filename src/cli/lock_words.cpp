#include "cli/lock_words.hpp"

#include <algorithm>
#include <filesystem>

#include "artifact/error.hpp"
#include "cli/library_words.hpp"
#include "cli/run_and_report.hpp"
#include "generate/generated_suite.hpp"
#include "lock/added_locks.hpp"
#include "lock/lock.hpp"
#include "servers/server_type.hpp"

namespace holdfast {
namespace {

namespace fs = std::filesystem;

bool is_manifest(const std::string& given) {
  std::error_code none;
  return given.ends_with(".json") || fs::is_regular_file(fs::path(given) / "lock.json", none);
}

// Path of my_lock.sql for my_lock, if it exists here; else empty.
std::string file_beside(const std::string& name) {
  std::string found;
  for (const auto& server : server_types()) {
    const std::string file = name + "." + server.type->form.folder;
    std::error_code none;
    if (file == found || !fs::is_regular_file(file, none)) continue;
    if (!found.empty()) {
      throw BadInput(name + ": " + found + " and " + file + " both exist; remedy: name one of them");
    }
    found = file;
  }
  return found;
}

// A file that two flags name is one lock.
void add_once(const std::string& path, std::vector<std::string>& paths) {
  std::error_code none;
  const auto same = [&](const std::string& other) { return other == path || fs::equivalent(other, path, none); };
  if (std::none_of(paths.begin(), paths.end(), same)) paths.push_back(path);
}

// Lock name for a word that is not one yet.
std::string taken(const std::string& given, ServerFlags& flags) {
  if (given.empty() || find_entry(locks(), given) != nullptr) return given;
  if (is_manifest(given)) {
    add_once(given, flags.adapters);
    return names_of({.manifests = {given}, .commands = {}, .lock_files = {}}).front();
  }
  const std::string file = is_lock_file(given) ? given : file_beside(given);
  if (file.empty()) return given;
  add_once(file, flags.lock_files);
  return names_of({.manifests = {}, .commands = {}, .lock_files = {file}}).front();
}

// Returns true if the flags name the lock already, or its file: --lock-file my_lock.sql --lock my_lock.
bool is_named(const std::string& given, const ServerFlags& flags) {
  const auto names = names_of({flags.adapters, flags.adapter_commands, flags.lock_files});
  return std::find(names.begin(), names.end(), given) != names.end();
}

}  // namespace

void take_lock_words(std::vector<std::string>& locks, ServerFlags& flags) {
  take_library_words(locks, flags);
  for (auto& word : locks) {
    const auto plus = word.find('+');
    const std::string given = word.substr(0, plus);
    if (!is_named(given, flags)) word.replace(0, given.size(), taken(given, flags));
  }
}

void take_lock_files_of_suites(RunFlags& flags) {
  const auto first = std::stable_partition(flags.paths.begin(), flags.paths.end(),
                                           [](const std::string& path) { return !is_lock_file(path); });
  if (first == flags.paths.end()) return;
  flags.locks.insert(flags.locks.end(), first, flags.paths.end());
  flags.paths.erase(first, flags.paths.end());
  if (flags.paths.empty()) flags.paths = {kGenerated};
}

void take_suite_words(RunFlags& flags) {
  take_lock_files_of_suites(flags);
  take_lock_words(flags.locks, flags);
  const auto named = add_named_adapters(flags);
  if (generates(flags) && flags.locks.empty()) flags.locks = named;
}

}  // namespace holdfast
