// An adapter author's description of a lock: the file lock.json in a folder of its own. Texts for readers are in
// lock.md beside it (lock/lock_texts.hpp).
//
//   {"name": "redis_py", "command": ["python3", "./adapter.py"], "install": "pip install redis",
//    "language": "Python", "library": {"name": "redis-py", "version": "5.0"}, "servers": ["redis"],
//    "can": ["renew", "owned"], "promises": {"mutual_exclusion": "its documentation, chapter Locks"}}
//
//   const Manifest manifest = load_manifest("my_lock/lock.json", {server_kinds});
//   spawn(found_command(manifest));
//
// `can` alone states whether the lock renews, waits, is reentrant or renews by itself. Times are in milliseconds.
// Errors: BadInput with file, line, key and remedy; Unavailable, with the text of `install`, for what the machine
// lacks.
//
// It has no list of kinds of server (the caller provides it), and only adapter_check.hpp verifies `can`.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "adapter/command_words.hpp"
#include "artifact/assertion.hpp"
#include "artifact/scenario_tables.hpp"

namespace holdfast {

// Kind of the lock, which determines its load (driver/load_loop.hpp).
inline constexpr const char* kLockKind = "lock";            // acquired, held for a job, released
inline constexpr const char* kElectionKind = "election";    // acquire campaigns, release resigns; a leader stays leader
inline constexpr const char* kSchedulerKind = "scheduler";  // begins jobs by itself under the lock, without requests

struct LibraryFacts {
  std::string name;
  std::string version;  // may be empty
  bool operator==(const LibraryFacts&) const = default;
};

struct Manifest {
  std::string folder = ".";  // folder of the file; not a key
  std::string file{};        // name of the file in the folder; not a key; empty: no file

  std::string name;
  std::string kind = kLockKind;
  std::vector<std::string> command;
  std::string install;
  std::string language;
  LibraryFacts library;
  std::string note;  // shown with every result
  std::vector<std::string> servers;
  std::vector<std::string> can;
  bool lease = true;
  bool releases = true;
  bool fenced = false;
  bool whole_seconds = false;
  std::int64_t waits_ms = 2000;
  std::int64_t guard_ms = 0;
  std::int64_t tick_ms = 0;
  std::int64_t watchdog_ms = 0;
  std::int64_t loss_notice_ms = 0;
  std::int64_t default_lease_ms = 0;
  std::optional<std::map<std::string, std::string>> promises;  // a property's name: the reason
  std::map<std::string, std::string> assumes;                  // by cause of a fault: where the documentation says so
  std::vector<AssertionName> assertions;                       // of its author, which a run must reach
  nlohmann::json options = nlohmann::json::object();
  std::int64_t start_ms = 30'000;
  std::vector<std::string> environment;
  std::vector<std::string> paths;

  bool can_do(const std::string& word) const;
  bool elects() const { return kind == kElectionKind; }
  bool schedules() const { return kind == kSchedulerKind; }
};

// `servers`: the known kinds; empty: any name is accepted.
Manifest read_manifest(const std::string& text, const std::string& file, const std::vector<std::string>& servers = {});
Manifest load_manifest(const std::string& file, const std::vector<std::string>& servers = {});

// Makes the manifest of an adapter tried by its command alone: it has only required abilities.
Manifest manifest_of(const NamedCommand& command);

// Returns a valid manifest in canonical form: equal for two manifests if and only if they mean the same. Absent keys
// are written with their defaults unless they do not apply to this adapter.
nlohmann::json canonical_json(const Manifest& manifest);

// Returns the promises it names; if it names none, those of any lock with its facts.
std::vector<std::string> promised_properties(const Manifest& manifest);

// Returns the command with the program's full path: below the manifest's folder, or found in PATH. Words that begin
// with `./` are below the folder, too. Throws Unavailable, with `install` as the remedy, if the program or one of
// `paths` is missing.
std::vector<std::string> found_command(const Manifest& manifest);

// PATH, HOME and similar variables, and those named in `environment`, with this process's values.
std::map<std::string, std::string> adapter_environment(const Manifest& manifest);

Schema manifest_schema();

}  // namespace holdfast
