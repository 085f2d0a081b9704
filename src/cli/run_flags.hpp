// Flags of a run: the servers, and everything else.
#pragma once

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "artifact/shell_command.hpp"
#include "artifact/time_mode.hpp"
#include "cli/only_flag.hpp"
#include "cli/run_baseline_flags.hpp"
#include "servers/sandbox.hpp"
#include "suite/suite.hpp"

namespace holdfast {

// Flags for the server and (except for `compare`) the time mode of the trials, shared by `run` and `compare`.
//
//   add_server_flags(command, flags);
//   check_servers(flags);                            // throws BadInput before anything starts
//   const auto place = open_place(flags);            // null: each trial has its own server, in its lab
//   options.target = place.get(); ... the trials ...
//   close_place(place.get(), verdict.server);        // removes what the trials created, and prints where they ran
struct ServerFlags {
  std::optional<TimeMode> time;      // empty: what suits the server
  std::vector<std::string> servers;  // mysqld=PATH
  std::string target;
  std::string target_run;
  std::string hosts;                          // file of hosts for the clients' programs; only for run and replay
  std::vector<std::string> adapters;          // lock.json of locks in other languages
  std::vector<std::string> adapter_commands;  // NAME[@SERVER]=COMMAND
  std::vector<std::string> lock_files;        // locks given as a file of statements: my_lock.sql
};

void add_server_flags(CLI::App* command, ServerFlags& flags);
void add_hosts_flag(CLI::App* command, ServerFlags& flags);
void add_adapter_flags(CLI::App* command, ServerFlags& flags);   // a part of them
void add_lock_file_flag(CLI::App* command, ServerFlags& flags);  // adds to lock_files

void check_servers(const ServerFlags& flags);

// Time mode of the trials: skipped, unless real time is requested or the server is the user's own.
TimeMode time_of(const ServerFlags& flags);

// Registers the named adapters, and those shipped with holdfast, as locks. Call it before reading scenarios. Returns
// the names of those that were named.
std::vector<std::string> add_named_adapters(const ServerFlags& flags);

std::unique_ptr<Sandbox> open_place(const ServerFlags& flags);
void close_place(Sandbox* place, std::string& server);

// " --server X --target Y" as it can be pasted, without a password.
ShellCommand server_words(const ServerFlags& flags);

inline constexpr const char* kLibrarySuite = "libraries/scenarios";

struct RunFlags : ServerFlags {
  std::vector<std::string> paths;
  std::vector<std::string> locks;                     // of a generated suite, or in the place of a suite's own
  std::optional<std::vector<std::string>> libraries;  // of `libraries run`: those that it named; locks are theirs
  OnlyCells only;
  std::string out = "runs";
  std::string colour = "auto";
  std::string sabotage;
  std::uint64_t seed = 0;
  bool seed_given = false;
  std::string seeds;        // "1..5" or "3,8,13"
  std::string budget;       // "10m"
  std::string resume;       // a run's folder
  std::string shard;        // "2/4"; empty: the whole run
  std::string first_trial;  // a run's folder, with the first trial of a generated suite in shards
  std::string durations;    // an earlier run, by whose durations cells are dealt to shards
  BaselineFlags against;    // an earlier run
  std::string confidence;   // "99%", with `rate`: that many clean trials
  std::string rate;         // "5%"
  int repeat = 1;
  int jobs = 0;
  bool until_caught = false;  // repeat a cell until a trial of it is violated
  bool again = false;         // with resume: trials that failed, too
  bool controls = false;
  bool strict = false;         // lapses of leases count as broken promises
  bool default_lease = false;  // adapters have the lease that their lock.json names
  bool first = false;          // one find is enough
  bool json = false;
  bool quiet = false;
};

CLI::Option* add_strict_flag(CLI::App* command, bool& strict);
CLI::Option* add_default_lease_flag(CLI::App* command, bool& default_lease);

// Returns the lease that a suite asks the lock for, as generate_suite takes it; 0: the suite's own. Throws BadInput
// where the lock names no default, unless all libraries run.
std::int64_t tried_lease_ms(const RunFlags& flags, const std::string& lock);

// Determines how cells are repeated; throws BadInput for invalid combinations. With a confidence, sets `flags.repeat`
// to the number of clean trials that it needs.
StopRule take_stop_rule(RunFlags& flags);

// "1..5" -> 1 2 3 4 5; "3,8,13" -> 3 8 13. Each once, at most 100,000; throws BadInput.
std::vector<std::uint64_t> parse_seeds(const std::string& text);

// "90s", "10m", "1h"; throws BadInput.
std::chrono::seconds parse_budget(const std::string& text, const std::string& flag = "--time-budget");

// For unsigned numbers: the parser would read -1 as a very large one.
std::string refuse_negative(const std::string& text);

// Resolves the link `latest` to the run's own name, since the link changes.
std::string lasting_path(const std::string& path);

// The command that repeats this run, quoted for a shell.
std::string rerun_command(const RunFlags& flags, std::uint64_t seed);

// The command that resumes an interrupted run; `folder` as a user would type it.
std::string resume_command(const RunFlags& flags, const std::string& folder);

}  // namespace holdfast
