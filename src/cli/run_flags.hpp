// What a run is asked for on the command line: which servers, and all else.
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

// Which server the trials run on, and (not of `compare`) in which time: what `run` and `compare` are told of it, in the
// same words.
//
//   add_server_flags(command, flags);
//   check_servers(flags);                            // BadInput, before anything starts
//   const auto place = open_place(flags);            // null: each trial has a server of its own, in its lab
//   options.target = place.get(); ... the trials ...
//   close_place(place.get(), verdict.server);        // takes away what they made, and says where they ran
struct ServerFlags {
  std::optional<TimeMode> time;      // none: what suits the server
  std::vector<std::string> servers;  // mysqld=PATH
  std::string target;
  std::string target_run;
  std::string hosts;  // a file of other hosts, on which the clients' programs run; only of run and replay
  std::vector<std::string> adapters;          // lock.json of locks in other languages
  std::vector<std::string> adapter_commands;  // NAME[@SERVER]=COMMAND
  std::vector<std::string> lock_files;        // locks that are a file of statements: my_lock.sql
};

void add_server_flags(CLI::App* command, ServerFlags& flags);
void add_hosts_flag(CLI::App* command, ServerFlags& flags);
void add_adapter_flags(CLI::App* command, ServerFlags& flags);   // a part of them
void add_lock_file_flag(CLI::App* command, ServerFlags& flags);  // of these

void check_servers(const ServerFlags& flags);

// The time in which the trials live: skipped, unless another is asked for or the server is the user's own.
TimeMode time_of(const ServerFlags& flags);

// The locks in other languages that were named, and those that come with holdfast, are locks from then on. Before any
// scenario is read. Gives the names of those that were named.
std::vector<std::string> add_named_adapters(const ServerFlags& flags);

std::unique_ptr<Sandbox> open_place(const ServerFlags& flags);
void close_place(Sandbox* place, std::string& server);

// " --server X --target Y" as it can be pasted, without a password.
ShellCommand server_words(const ServerFlags& flags);

// What a run is asked for, on the command line or by the run that is resumed, and the small languages of its flags.

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
  std::string seeds;       // "1..5" or "3,8,13"
  std::string budget;      // "10m"
  std::string resume;      // a run's folder
  std::string shard;       // "2/4"; empty: the whole run
  std::string durations;   // an earlier run, by whose durations cells are dealt to shards
  BaselineFlags against;   // an earlier run
  std::string confidence;  // "99%", with `rate`: that many clean trials
  std::string rate;        // "5%"
  int repeat = 1;
  int jobs = 0;
  bool until_caught = false;  // repeat a cell until a trial of it is violated
  bool again = false;         // with resume: trials that failed, too
  bool controls = false;
  bool strict = false;         // lapses of leases count as broken promises
  bool default_lease = false;  // of a generated suite: adapters have the lease that their lock.json names
  bool first = false;          // one find is enough
  bool json = false;
  bool quiet = false;
};

CLI::Option* add_strict_flag(CLI::App* command, bool& strict);
CLI::Option* add_default_lease_flag(CLI::App* command, bool& default_lease);

// Returns the lease that a generated suite asks the lock for, as generate_suite takes it. Throws BadInput where the
// lock names no default.
std::int64_t tried_lease_ms(const RunFlags& flags, const std::string& lock);

// How cells are repeated by these; throws BadInput where they cannot be combined. With a confidence, `flags.repeat` is
// set to the number of clean trials that it needs.
StopRule take_stop_rule(RunFlags& flags);

// "1..5" -> 1 2 3 4 5; "3,8,13" -> 3 8 13. Each once, at most 100,000; throws BadInput.
std::vector<std::uint64_t> parse_seeds(const std::string& text);

// "90s", "10m", "1h"; throws BadInput.
std::chrono::seconds parse_budget(const std::string& text, const std::string& flag = "--time-budget");

// For numbers without a sign: the parser would take -1 for a very large one.
std::string refuse_negative(const std::string& text);

// Of a run's folder that is named by the link `latest`: its own name, since the link moves on.
std::string lasting_path(const std::string& path);

// The command that repeats this run, as it can be pasted where this one was typed.
std::string rerun_command(const RunFlags& flags, std::uint64_t seed);

// The command that goes on with it, where it was cut off; `folder` as a person would type it.
std::string resume_command(const RunFlags& flags, const std::string& folder);

}  // namespace holdfast
