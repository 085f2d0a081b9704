// What an adapter's author says of it: the file lock.json in a folder of its own. Beside it, lock.md has what people
// read (lock/lock_texts.hpp).
//
//   {"name": "redis_py", "command": ["python3", "./adapter.py"], "install": "pip install redis",
//    "language": "Python", "library": {"name": "redis-py", "version": "5.0"}, "servers": ["redis"],
//    "can": ["renew", "owned"], "promises": {"mutual_exclusion": "its documentation, chapter Locks"}}
//
//   const Manifest manifest = load_manifest("my_lock/lock.json", {server_kinds});
//   spawn(found_command(manifest));
//
// Whether it renews, waits, may be re-entered or renews by itself stands in `can` alone, so that nothing is said twice.
// Errors: BadInput with file, line, key and remedy; what the machine lacks: Unavailable with `install`.
//
// What it does not do: it knows no kinds of server (who reads says which there are), and whether `can` is true is
// seen only when the adapter speaks (adapter_check.hpp).
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "adapter/command_words.hpp"
#include "artifact/scenario_tables.hpp"

namespace holdfast {

// What it is, and with it how its load goes (driver/load_loop.hpp).
inline constexpr const char* kLockKind = "lock";            // asked for, held for a job, given back
inline constexpr const char* kElectionKind = "election";    // acquire campaigns, release resigns; who leads stays
inline constexpr const char* kSchedulerKind = "scheduler";  // nobody asks: it begins jobs by itself, under the lock

struct LibraryFacts {
  std::string name;
  std::string version;  // may be empty
  bool operator==(const LibraryFacts&) const = default;
};

struct Manifest {
  std::string folder = ".";  // where the file lies; not a key
  std::string file{};        // its name in the folder; not a key; empty: there is none

  std::string name;
  std::string kind = kLockKind;
  std::vector<std::string> command;
  std::string install;
  std::string language;
  LibraryFacts library;
  std::string note;  // told with every result
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
  std::map<std::string, std::string> assumes;                  // the cause of a fault: where its documentation says so
  nlohmann::json options = nlohmann::json::object();
  std::int64_t start_ms = 30'000;
  std::vector<std::string> environment;
  std::vector<std::string> paths;

  bool can_do(const std::string& word) const;
  bool elects() const { return kind == kElectionKind; }
  bool schedules() const { return kind == kSchedulerKind; }
};

// `servers`: the kinds that there are; empty: any name will do.
Manifest read_manifest(const std::string& text, const std::string& file, const std::vector<std::string>& servers = {});
Manifest load_manifest(const std::string& file, const std::vector<std::string>& servers = {});

// Of an adapter that is tried by its command alone: it can what is required, and nothing besides.
Manifest manifest_of(const NamedCommand& command);

// Itself a manifest. Two say the same if, and only if, these are equal: what is absent is written out, but where it
// says nothing of this adapter.
nlohmann::json canonical_json(const Manifest& manifest);

// What it promises by name; where it says nothing, what any lock of such facts promises.
std::vector<std::string> promised_properties(const Manifest& manifest);

// The command with its program's path: beneath the manifest's folder, or found in PATH. Words that begin with `./` are
// beneath the folder, too. Throws Unavailable: the program or one of `paths` is missing, with `install` as remedy.
std::vector<std::string> found_command(const Manifest& manifest);

// PATH, HOME and the like, and what `environment` names, as this process has them.
std::map<std::string, std::string> adapter_environment(const Manifest& manifest);

Schema manifest_schema();

}  // namespace holdfast
