// The folder of an earlier run: what is stored in it, what the run was asked for, and what of that is believed.
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

// The folder of an earlier run, which somebody may have cut short since.

// The file of a run's folder that is written last. Throws BadInput that says what the folder is instead, with a remedy.
InputFile verdict_file(const std::string& folder);

// The verdict of a run's folder, whose trials lie where the names of their cells say: no file says where to look.
// Throws BadInput.
RunVerdict stored_run(const std::string& folder);

// A run's folder may be somebody else's. What it says of programs to start and servers to connect to is therefore only
// compared with the command line, which alone decides: whoever opens a folder must not run what lies in it, nor send a
// password where it says.
//
//   check_servers_of(folder, order.flags, order.directory, given);   // BadInput names what is to be repeated, or not
//
// It does not look at the programs: check_servers does.

// `stored`: of the folder's run.json, its paths to be read in `directory`. Throws BadInput where `given` is not the
// same.
void check_servers_of(const std::string& folder, const ServerFlags& stored, const std::string& directory,
                      const ServerFlags& given);

// "mysqld=/opt/mysqld", of a path that is read in `directory`. Texts of another form stay as they are.
std::string absolute_server(const std::string& name_and_path, const std::string& directory);

// What a run was asked for, in its folder from the beginning (run.json): whatever ends the run, `run --resume` can go
// on with the same scenarios, seeds and plans.
//
//   const RunManifest manifest = new_manifest(flags, options);
//   write_manifest(manifest, folder);
//   const OrderLock lock(folder);          // one run at a time works in a folder; the kernel lets go of it
//
// It holds the scenarios themselves: one that was changed since is refused, since its old trials would be of another.
// That of a shard also has the cells of all shards, and what the suite left out: `merge` needs no other file to know
// what the whole run was to be.

struct StoredScenario {
  std::string suite;
  std::string name;
  nlohmann::json source;

  static const JsonForm<StoredScenario>& form();
};

struct StoredAdapter {
  std::string lock;
  std::string manifest;  // what it said; compared, never executed

  bool operator==(const StoredAdapter&) const = default;
  static const JsonForm<StoredAdapter>& form();
};

struct RunManifest {
  std::string version = HOLDFAST_VERSION;
  RunFlags flags;         // of the run, without what only changes how it is shown
  std::string directory;  // in which its paths are to be read
  std::string started_utc;
  std::vector<StoredScenario> scenarios;
  std::vector<StoredAdapter> adapters;
  std::string replay_of;                // the trial whose plan it repeats; empty: it is a run of scenarios
  std::string command;                  // that runs it again; not kept, since it depends on how we were called
  std::optional<Dealing> dealing = {};  // only of a shard: who has which cells
  std::vector<NotTried> left_out = {};  // only of a shard

  static const JsonForm<RunManifest>& form();
};

RunManifest new_manifest(const RunFlags& flags, const SuiteOptions& options, const std::string& started_utc);
void write_manifest(const RunManifest& manifest, const std::string& folder);
RunManifest stored_manifest(const std::string& folder);  // throws BadInput where there is none, or another program's

// Throws BadInput naming run.json, and the first scenario, or adapter, that is not as it was.
void check_unchanged(const std::string& folder, const RunManifest& manifest, const SuiteOptions& options);

// Reads what a folder's run.json asks for. Where that is refused, the BadInput names run.json and how to go on.
void read_as_asked(const std::string& folder, const std::function<void()>& read);

// Which scenario differs between two manifests' lists of them, in words: "quick/pause is gone". Empty: none.
std::string changed_scenario(const std::vector<StoredScenario>& then, const std::vector<StoredScenario>& now);

// Why a folder of another version is refused; empty: it is of this one.
std::string other_version(const std::string& version);

class OrderLock {
 public:
  explicit OrderLock(const std::string& folder);  // throws BadInput when another process works there
  ~OrderLock();
  OrderLock(const OrderLock&) = delete;
  OrderLock& operator=(const OrderLock&) = delete;

 private:
  int fd_;
};

}  // namespace holdfast
