// `holdfast libraries`: installs published lock libraries on demand and runs one suite on all of them.
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "artifact/error.hpp"
#include "cli/command.hpp"
#include "cli/help_text.hpp"
#include "cli/library_words.hpp"
#include "cli/output.hpp"
#include "cli/run_and_report.hpp"
#include "cli/stored.hpp"
#include "cli/terminal.hpp"
#include "library/installed.hpp"

namespace holdfast {
namespace {

namespace fs = std::filesystem;

struct LibrariesFlags : RunFlags {
  std::vector<std::string> names;  // NAME, or NAME@VERSION
};

void list_as_json(const std::vector<Library>& all, const std::string& root) {
  auto libraries = nlohmann::json::array();
  for (const auto& one : all) {
    libraries.push_back({{"name", one.name},
                         {"title", one.title},
                         {"language", one.language},
                         {"package", one.package},
                         {"version", one.version},
                         {"licence", one.licence},
                         {"home", one.home},
                         {"note", one.note},
                         {"installed", installed_versions(root, one)}});
  }
  const nlohmann::json told{{"holdfast_libraries", 1}, {"folder", root}, {"libraries", std::move(libraries)}};
  print_json(told);
}

int list_libraries(const LibrariesFlags& flags) {
  const auto all = shipped_libraries();
  const std::string root = libraries_folder();
  if (flags.json) {
    list_as_json(all, root);
    return kExitAsExpected;
  }
  constexpr const char* kRow = "{:<22} {:<10} {:<12} {:<14} {}\n";
  say(kRow, "library", "language", "version", "licence", "installed");
  for (const auto& one : all) {
    const auto there = installed_versions(root, one);
    const std::string installed = there.empty() ? "no" : fmt::format("{}", fmt::join(there, ", "));
    say(kRow, one.name, one.language, one.version, one.licence, installed);
  }
  say("installed in {}\n", terminal_message(root));
  return kExitAsExpected;
}

// Without names: all.
std::vector<LibraryRef> asked(const LibrariesFlags& flags, const std::vector<Library>& all) {
  std::vector<LibraryRef> out;
  for (const auto& name : flags.names) out.push_back(parse_library_ref(name));
  for (const auto& ref : out) find_library(all, ref.name);
  if (!out.empty()) return out;
  for (const auto& one : all) out.push_back({one.name, ""});
  return out;
}

// A failure does not stop other installations.
int install_libraries(const LibrariesFlags& flags) {
  const auto all = shipped_libraries();
  const std::string root = libraries_folder();
  const auto wanted = asked(flags, all);
  int exit_code = kExitAsExpected;
  for (const auto& ref : wanted) {
    const Library& library = find_library(all, ref.name);
    try {
      const std::string folder = install_library(library, ref.version, root);
      say("{} {}: {}\n", library.title, ref.version.empty() ? library.version : ref.version, terminal_message(folder));
    } catch (const Unavailable& missing) {
      tell_error(missing.what());
      exit_code = std::max<int>(exit_code, kExitUnavailable);
    } catch (const HarnessError& failed) {
      tell_error(failed.what());
      exit_code = kExitHarness;
    }
  }
  return exit_code;
}

int remove_libraries(const LibrariesFlags& flags) {
  const auto all = shipped_libraries();
  for (const auto& ref : asked(flags, all)) {
    const Library& library = find_library(all, ref.name);
    const bool gone = remove_library(libraries_folder(), library, ref.version);
    const std::string version = ref.version.empty() ? library.version : ref.version;
    say("{} {}: {}\n", library.title, version, gone ? "removed" : "was not installed");
  }
  return kExitAsExpected;
}

// Returns true if --only may select a cell of this lock; without --only always.
bool may_be_asked(const std::string& lock, const std::vector<std::string>& only) {
  return only.empty() || std::any_of(only.begin(), only.end(), [&lock](const std::string& pattern) {
           const std::string name = pattern.substr(0, pattern.find('/'));
           return name == "*" || name == lock;
         });
}

int resume_libraries(LibrariesFlags flags) {
  add_libraries_of_run(flags.resume, stored_manifest(flags.resume).flags.locks, flags);
  return resume_run(flags);
}

// Libraries that are not installed are listed and do not affect the result.
int run_libraries(const LibrariesFlags& given) {
  if (!given.resume.empty()) return resume_libraries(given);
  const auto all = shipped_libraries();
  std::vector<std::string> missing;
  LibrariesFlags every = given;
  LibrariesFlags named = given;  // only those that may have a selected cell
  for (const auto& ref : asked(given, all)) {
    const Library& library = find_library(all, ref.name);
    if (given.names.empty() && !is_installed(libraries_folder(), library, "")) {
      missing.push_back(library.name);
      continue;
    }
    const std::size_t before = named.locks.size();
    for (auto& lock : add_library(library, ref.version, every)) {
      if (may_be_asked(lock, given.only.patterns)) named.locks.push_back(lock);
      every.locks.push_back(std::move(lock));
    }
    if (named.locks.size() > before) add_library(library, ref.version, named);
  }
  if (every.locks.empty()) {
    throw Unavailable(
        "no library is installed; remedy: holdfast libraries install (all libraries), or holdfast "
        "libraries install NAME");
  }
  LibrariesFlags& flags = named.locks.empty() ? every : named;  // if none is left, the run reports the error
  flags.libraries = given.names;
  if (flags.paths.empty()) flags.paths = {kLibrarySuite};
  const int exit_code = run_suites(flags);
  if (!missing.empty() && !flags.json) {
    say("\nnot tried because not installed: {}\n", fmt::join(missing, ", "));
  }
  return exit_code;
}

void add_run_flags(CLI::App* command, LibrariesFlags& flags, CLI::Option* names) {
  auto* suite =
      command->add_option("--suite", flags.paths, "Scenarios to use instead of libraries/scenarios; may be repeated");
  auto* only = add_only_flag(command, flags.only, "Run only these cells, LOCK/SCENARIO");
  auto* seed = command->add_option("--seed", flags.seed, "Seed of all random choices (default: random, printed)");
  seed->check(refuse_negative);
  auto* repeat = command->add_option("--repeat", flags.repeat, "Trials of each cell");
  repeat->check(CLI::Range(1, 100000));
  command->add_option("--jobs", flags.jobs, "Trials in parallel (default: 2 per processor)")->check(CLI::Range(1, 256));
  auto* out = command->add_option("--out", flags.out, "Folder in which to create this run's folder");
  out->capture_default_str();
  auto* controls = command->add_flag("--controls", flags.controls, "Repeat each caught violation without its fault");
  auto* resumed = command->add_option("--resume", flags.resume,
                                      "Continue the interrupted run in this folder: run only the missing trials");
  auto* strict = add_strict_flag(command, flags.strict);
  auto* lease = add_default_lease_flag(command, flags.default_lease);
  for (auto* fixed : {names, suite, only, seed, repeat, out, controls, strict, lease}) resumed->excludes(fixed);
  auto* again =
      command->add_flag("--again", flags.again, "With --resume: also repeat the trials in which the harness failed");
  again->needs(resumed);
  command->add_flag("-q,--quiet", flags.quiet, "Do not show progress");
}

using Work = int (*)(const LibrariesFlags& flags);

CLI::App* add_part(CLI::App* command, const char* name, const char* about, Work work, int& exit_code,
                   const std::shared_ptr<LibrariesFlags>& flags) {
  CLI::App* part = command->add_subcommand(name, about);
  part->callback([=, &exit_code] {
    const CLI::Option* seed = part->get_option_no_throw("--seed");
    flags->seed_given = seed != nullptr && seed->count() > 0;
    exit_code = work(*flags);
  });
  return part;
}

}  // namespace

void add_libraries(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("libraries",
                                         "Install published lock libraries of other languages and test "
                                         "them");
  give_examples(command,
                {"holdfast libraries list", "holdfast libraries install pottery", "holdfast libraries run pottery"});
  command->require_subcommand(1);
  auto flags = std::make_shared<LibrariesFlags>();
  const auto add = [&](const char* name, const char* about, Work work) {
    return add_part(command, name, about, work, exit_code, flags);
  };
  constexpr const char* kNames = "NAME, or NAME@VERSION in addition to the pinned version (default: all)";
  CLI::App* list = add("list", "List the libraries and show which are installed", list_libraries);
  list->add_flag("--json", flags->json, "As JSON");
  CLI::App* install = add("install", "Install libraries with the package manager of their language", install_libraries);
  install->add_option("names", flags->names, kNames);
  CLI::App* remove = add("remove", "Remove installed libraries", remove_libraries);
  remove->add_option("names", flags->names, "NAME, or NAME@VERSION")->required();
  CLI::App* run = add("run", "Run the libraries' suite with the installed libraries", run_libraries);
  auto* names = run->add_option("names", flags->names, kNames);
  run->add_flag("--json", flags->json, "Print the verdict as JSON");
  add_run_flags(run, *flags, names);
}

}  // namespace holdfast
