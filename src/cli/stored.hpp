// The folder of an earlier run: its contents, its order, and which of that is trusted.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "artifact/json_reader.hpp"
#include "artifact/run_verdict.hpp"
#include "cli/run_flags.hpp"
#include "suite/shard.hpp"

namespace holdfast {

// The folder of an earlier run, which may be incomplete.

// Returns the file of a run's folder that is written last. Otherwise throws BadInput with what the folder is instead
// and a remedy.
InputFile verdict_file(const std::string& folder);

// Reads the verdict of a run's folder. Trials are located by the names of their cells, not by paths in files. Throws
// BadInput.
RunVerdict stored_run(const std::string& folder);

// A run's folder may come from another user. Programs to start and servers to connect to are taken from the command
// line only; the folder's values are just compared with it. Opening a folder must not run its contents or send a
// password to an address it names.
//
//   check_servers_of(folder, order.flags, order.directory, given);   // BadInput names what to repeat, or to leave out
//
// It does not check the programs: check_servers does.

// `stored`: from the folder's run.json; its paths are relative to `directory`. Throws BadInput if `given` differs.
void check_servers_of(const std::string& folder, const ServerFlags& stored, const std::string& directory,
                      const ServerFlags& given);

// Resolves "mysqld=mysqld" relative to `directory`: "mysqld=/opt/mysqld". Other texts stay unchanged.
std::string absolute_server(const std::string& name_and_path, const std::string& directory);

// The order of a run, stored in its folder from the beginning (run.json): however the run ends, `run --resume` can
// continue with the same scenarios, seeds and plans.
//
//   const RunManifest manifest = new_manifest(flags, options);
//   write_manifest(manifest, folder);
//   const OrderLock lock(folder);          // one process at a time works in a folder; the kernel releases the lock
//
// It contains the scenarios themselves; a changed scenario is refused, because old trials would belong to another one.
// For a shard it also has the cells of all shards and what the suite left out, so `merge` needs no other file to know
// the whole run.

struct StoredScenario {
  std::string suite;
  std::string name;
  nlohmann::json source;

  static const JsonForm<StoredScenario>& form();
};

std::vector<StoredScenario> stored_scenarios(const SuiteOptions& options);

struct StoredAdapter {
  std::string lock;
  std::string manifest;  // its manifest; compared, never executed

  bool operator==(const StoredAdapter&) const = default;
  static const JsonForm<StoredAdapter>& form();
};

struct RunManifest {
  std::string version = HOLDFAST_VERSION;
  RunFlags flags;         // of the run, except those that only change the output
  std::string directory;  // base of its relative paths
  std::string started_utc;
  std::vector<StoredScenario> scenarios;
  std::vector<StoredAdapter> adapters;
  std::string replay_of;                // the trial whose plan it repeats; empty: a run of scenarios
  std::string command;                  // repeats the run; not stored, since it depends on how the program was called
  std::optional<Dealing> dealing = {};  // only of a shard: assignment of cells
  std::vector<NotTried> left_out = {};  // only of a shard

  static const JsonForm<RunManifest>& form();
};

RunManifest new_manifest(const RunFlags& flags, const SuiteOptions& options, const std::string& started_utc);
void write_manifest(const RunManifest& manifest, const std::string& folder);
RunManifest stored_manifest(const std::string& folder);  // throws BadInput if it is missing or from another program

// Throws BadInput naming run.json and the first scenario or adapter that has changed.
void check_unchanged(const std::string& folder, const RunManifest& manifest, const SuiteOptions& options);

// Reads what a folder's run.json requests. On error the BadInput names run.json and how to continue.
void read_as_asked(const std::string& folder, const std::function<void()>& read);

// First scenario that differs between two lists, in words: "quick/pause is gone". Empty: none.
std::string changed_scenario(const std::vector<StoredScenario>& then, const std::vector<StoredScenario>& now);

// Why a folder of another version is refused; empty: it has this version.
std::string other_version(const std::string& version);

class OrderLock {
 public:
  explicit OrderLock(const std::string& folder);  // throws BadInput if another process works there
  ~OrderLock();
  OrderLock(const OrderLock&) = delete;
  OrderLock& operator=(const OrderLock&) = delete;

 private:
  int fd_;
};

}  // namespace holdfast
