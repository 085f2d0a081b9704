// `holdfast explore`: every schedule of a lock within bounds, on a real server.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

#include "artifact/error.hpp"
#include "artifact/json_text.hpp"
#include "cli/command.hpp"
#include "cli/explore_output.hpp"
#include "cli/explore_results.hpp"
#include "cli/help_text.hpp"
#include "cli/lock_words.hpp"
#include "cli/output.hpp"
#include "cli/run_flags.hpp"
#include "cli/sealed_shard.hpp"
#include "cli/shard_flags.hpp"
#include "cli/terminal.hpp"
#include "explore/explore_lab.hpp"
#include "explore/explorer.hpp"
#include "explore/replay_file.hpp"
#include "explore/within_text.hpp"
#include "lock/added_locks.hpp"
#include "lock/lock.hpp"
#include "request_explore/parallel_labs.hpp"
#include "request_explore/request_explorer.hpp"
#include "servers/server_type.hpp"
#include "suite/stored_result.hpp"

namespace holdfast {
namespace {

struct ExploreFlags {
  std::vector<std::string> locks;
  ExploreJob job;
  std::string budget = "30s";
  std::string out = "runs";
  std::vector<std::string> except;
  std::string shard;  // for --all, or for several locks
  bool all = false;
  bool json = false;
  bool quiet = false;
  ServerFlags named;   // the files of statements among the locks
  ShellCommand given;  // the given options, except those that only change the output
};

// All locks on kinds of server that support stepping.
std::vector<std::string> locks_to_explore() {
  std::vector<std::string> out;
  for (const auto& [name, type] : catalogue_locks()) {
    if (server_type(type->server).explore != nullptr) out.push_back(name);
  }
  return out;
}

std::vector<std::string> chosen_locks(const ExploreFlags& flags) {
  if (flags.all) return locks_to_explore();
  if (flags.locks.empty()) throw BadInput("no lock given; remedy: holdfast explore LOCK, or --all");
  add_named_adapters(flags.named);
  for (const auto& name : flags.locks) {
    const LockType& type = type_of_ref(name);
    if (type.manifest == nullptr) continue;
    if (flags.locks.size() > 1) throw BadInput(name + " is an adapter; remedy: explore it in a command of its own");
    if (const std::string why = cannot_step_requests(type); !why.empty()) {
      throw BadInput(name + " is an adapter: " + why + "; remedy: holdfast run generated --lock " + name);
    }
  }
  return flags.locks;
}

// Parses a replay file of explore, or a schedule as printed.
KnownFind known_find(const std::string& given, const ExploreSettings& settings) {
  if (std::filesystem::exists(given)) {
    const ReplayFile file = load_replay(given);
    return {given, file.settings, file.words};
  }
  try {
    return {given, settings, parse_words(given)};
  } catch (const BadInput& wrong) {
    throw BadInput("--except " + given + ": neither a file nor a schedule: " + wrong.what());
  }
}

// Selects the known finds of this lock.
std::vector<KnownFind> known_of(const ExploreFlags& flags, const ExploreSettings& settings) {
  std::vector<KnownFind> out;
  for (const auto& given : flags.except) {
    KnownFind known = known_find(given, settings);
    if (known.settings.lock == settings.lock) out.push_back(std::move(known));
  }
  return out;
}

void check_known(const ExploreFlags& flags, const std::vector<std::string>& chosen) {
  for (const auto& given : flags.except) {
    const KnownFind known = known_find(given, {});
    if (known.settings.lock.empty() && chosen.size() != 1) {
      throw BadInput("--except '" + given + "': the schedule names no lock; remedy: give the replay file instead");
    }
    if (known.settings.lock.empty()) continue;
    if (std::find(chosen.begin(), chosen.end(), known.settings.lock) == chosen.end()) {
      throw BadInput("--except " + given + ": is a find of " + known.settings.lock +
                     ", which this command does not "
                     "explore");
    }
  }
}

double seconds_of(const std::string& text) {
  return static_cast<double>(parse_budget(text, "--budget").count());
}

// Builds the command that repeats the search; without the shard flag it covers the whole.
std::string command_again(const ExploreFlags& flags, bool whole = false) {
  ShellCommand command(program_as_typed());
  command.literal("explore");
  for (const auto& name : flags.locks) command.word(name);
  command.append(flags.given);
  if (!whole && !flags.shard.empty()) command.flag("--shard", flags.shard);
  return command.text();
}

void write(const std::vector<ExploreResult>& results, const ExploreFlags& flags, const std::string& folder,
           const std::string& started_utc, int code) {
  RunVerdict verdict = explored_verdict(results);
  verdict.started_utc = started_utc;
  verdict.version = HOLDFAST_VERSION;
  verdict.within = within_text(flags.job);
  verdict.command = command_again(flags);
  verdict.seed = flags.job.limits.seed;
  verdict.exit_code = code;
  verdict.shard = flags.shard;
  write_explored(verdict, folder);
}

// A search uses its whole budget, so each lock has the same weight.
SealedShard shard_of_search(ExploreFlags& flags, const std::vector<std::string>& chosen,
                            const std::vector<ExploreJob>& jobs) {
  SealedShard out;
  out.kind = kSearchShard;
  const Shard shard = asked_shard(flags.shard);
  flags.shard = to_text(shard);
  out.dealing = dealt(shard, chosen, std::vector<std::int64_t>(chosen.size(), 1), "locks");
  SearchAsked asked{within_text(flags.job), flags.job.limits.seed, jobs};
  for (auto& job : asked.jobs) job.jobs = 1;  // the number of jobs may differ between machines
  out.asked = to_json(asked);
  out.command = command_again(flags, true);
  out.started_utc = utc_now();
  return out;
}

// Removes the other shards' locks from the order.
void keep_own(const Dealing& dealing, std::vector<ExploreJob>& jobs) {
  std::erase_if(jobs, [own = dealing.own()](const ExploreJob& job) { return !own.contains(job.settings.lock); });
}

void print_results(const std::vector<ExploreResult>& results, const ExploreFlags& flags, const std::string& folder) {
  if (flags.json) {
    print_json(results.size() == 1 && !flags.all ? to_json(results.front()) : json_of(results));
  } else if (flags.all || results.size() > 1) {
    print_explored_table(results);
  } else if (!results.empty()) {
    ShellCommand files;
    for (const auto& file : flags.named.lock_files) files.flag("--lock-file", file);
    for (const auto& manifest : flags.named.adapters) files.flag("--adapter", manifest);
    for (const auto& command : flags.named.adapter_commands) files.flag("--adapter-command", command);
    print_explored(results.front(), folder, files);
  }
}

// Adds the files of the user's own locks to the repeat command.
void take_own_locks(ExploreFlags& flags) {
  const std::size_t before = flags.named.lock_files.size();
  const std::size_t adapters = flags.named.adapters.size();
  take_lock_words(flags.locks, flags.named);
  for (std::size_t i = adapters; i < flags.named.adapters.size(); ++i)
    flags.given.flag("--adapter", flags.named.adapters[i]);
  for (std::size_t i = before; i < flags.named.lock_files.size(); ++i)
    flags.given.flag("--lock-file", flags.named.lock_files[i]);
}

int search(ExploreFlags flags) {
  take_own_locks(flags);
  ExploreOrder order;
  ExploreJob job = flags.job;
  job.limits.budget_s = seconds_of(flags.budget);
  const auto chosen = chosen_locks(flags);
  check_known(flags, chosen);
  for (const auto& name : chosen) {
    job.settings.lock = name;
    job.except = known_of(flags, job.settings);
    order.jobs.push_back(job);
  }
  std::optional<SealedShard> shard;
  if (!flags.shard.empty()) shard = shard_of_search(flags, chosen, order.jobs);
  if (shard) keep_own(shard->dealing, order.jobs);
  const std::string folder = new_run_folder(flags.out);
  const std::string started_utc = utc_now();
  if (shard) begin_sealed(folder, *shard);
  const auto& interrupted = catch_interrupts();
  const std::size_t all = order.jobs.size();
  std::size_t done = 0;
  const auto progress = [&](const ExploreResult& result) {
    ++done;
    if (flags.quiet || all == 1) return;
    tell("{} of {}: {} {}{}\n", done, all, result.lock, result.verdict,
         result.verdict == "holds" ? " within its bounds" : "");
  };
  const bool by_requests = chosen.size() == 1 && type_of_ref(chosen.front()).manifest != nullptr;
  const ExploreOutcome outcome = by_requests ? explore_side_by_side(folder, order, interrupted)
                                             : explore_in_lab(folder, order, interrupted, progress);
  const int code = code_of_results(outcome.results);
  write_replays(folder, outcome.results);
  if (outcome.exit_code == 0 && !interrupted.load()) {
    write(outcome.results, flags, folder, started_utc, code);
    if (shard) seal(folder, {"explored.json"});
  }
  print_results(outcome.results, flags, folder);
  if (interrupted.load()) return kExitInterrupted;
  if (outcome.exit_code == kExitUsage) throw BadInput(outcome.error);
  if (outcome.exit_code == kExitUnavailable) throw Unavailable(outcome.error);
  if (outcome.exit_code != 0) throw HarnessError(outcome.error);
  return code;
}

void add_bounds(CLI::App* command, ExploreFlags& flags) {
  ExploreSettings& settings = flags.job.settings;
  SearchLimits& limits = flags.job.limits;
  command->add_option("--clients", settings.clients, "Simulated clients")
      ->check(CLI::Range(1, 6))
      ->capture_default_str();
  command->add_option("--rounds", settings.rounds, "Acquires of each client")
      ->check(CLI::Range(1, 9))
      ->capture_default_str();
  command
      ->add_option("--preemptions", limits.bounds.preemptions,
                   "Maximum number of preemptions: switches away from a client that could continue")
      ->check(CLI::Range(0, 99))
      ->capture_default_str();
  command->add_option("--time-jumps", limits.bounds.time_jumps, "Maximum number of time jumps")
      ->check(CLI::Range(0, 99))
      ->capture_default_str();
  command
      ->add_option("--faults", limits.bounds.faults,
                   "Maximum number of faults: lost or late replies, cut "
                   "sessions, crashes, wrong clocks")
      ->check(CLI::Range(0, 99))
      ->capture_default_str();
  command->add_option("--attempts", settings.attempts, "Refusals after which a client gives up")
      ->check(CLI::Range(1, 9))
      ->capture_default_str();
  command->add_option("--lease", settings.lease_ms, "Length of a lease in ms")
      ->check(CLI::Range(1, 100'000))
      ->capture_default_str();
  command->add_option("--fraction", settings.fraction_ms, "Start time: milliseconds after a whole second")
      ->check(CLI::Range(0, 999))
      ->capture_default_str();
}

void add_load(CLI::App* command, ExploreFlags& flags) {
  ExploreSettings& settings = flags.job.settings;
  command->add_flag("--reenter", settings.reenter,
                    "Holders acquire and release their lock a second time while they "
                    "hold it");
  command->add_flag("--shared-address", settings.shared_address, "All clients share one IP address");
  command->add_option("--server-id", settings.server_id, "Clients have their own ids (per_client) or share one (one)")
      ->check(CLI::IsMember({"per_client", "one"}))
      ->capture_default_str();
  command->add_option("--value", settings.value, "Value that callers pass to a lock that puts its own id in front")
      ->check(CLI::IsMember({"bare", "with_own_id"}))
      ->capture_default_str();
  command->add_flag("--fine", settings.fine, "Make the arrival of an answer a separate step");
}

ShellCommand options_given(const CLI::App& command) {
  ShellCommand out;
  for (const CLI::Option* option : command.get_options()) {
    const auto& names = option->get_lnames();
    if (option->count() == 0 || option->get_positional() || names.empty()) continue;
    if (names.front() == "out" || names.front() == "json" || names.front() == "quiet") continue;
    if (names.front() == "shard") continue;  // the resolved shard is added instead
    const std::string name = "--" + names.front();
    if (option->get_expected_max() == 0) {
      out.word(name);
    } else {
      for (const auto& value : option->results()) out.word(name).word(value);
    }
  }
  return out;
}

}  // namespace

void add_explore(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("explore", "Run every schedule of a lock within bounds, on a real server");
  give_examples(command, {"holdfast explore ip_lease", "holdfast explore my_lock.sql --preemptions 3 --budget 10m",
                          "holdfast explore --all --json"});
  auto flags = std::make_shared<ExploreFlags>();
  flags->job.jobs = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  command->add_option("LOCK", flags->locks,
                      "Locks: names as in a scenario (upsert_lease+found_rows), a file of statements (my_lock.sql), "
                      "or the folder of an adapter");
  add_adapter_flags(command, flags->named);
  command->add_flag("--all", flags->all, "Explore all locks and print a table");
  add_bounds(command, *flags);
  add_load(command, *flags);
  command->add_option("--except", flags->except, "Known find to skip: its replay file or its schedule")
      ->type_name("REPLAY")
      ->allow_extra_args(false)
      ->take_all();
  command->add_option("--budget,--time-budget", flags->budget, "Time for each lock")->capture_default_str();
  add_shard_flag(command, flags->shard);
  command->add_option("--jobs", flags->job.jobs, "Schedules to run in parallel")
      ->check(CLI::Range(1, 64))
      ->capture_default_str();
  command->add_option("--seed", flags->job.limits.seed, "Seed of the random walks that follow an unfinished search")
      ->check(refuse_negative)
      ->capture_default_str();
  command->add_flag("!--no-merge", flags->job.limits.merge,
                    "Follow equal states every time, to check the search "
                    "itself");
  command->add_option("--out", flags->out, "Folder in which to create this run's folder")->capture_default_str();
  command->add_flag("--json", flags->json, "Print the results as JSON");
  command->add_flag("-q,--quiet", flags->quiet, "Do not show progress");
  command->callback([flags, command, &exit_code] {
    flags->given = options_given(*command);
    exit_code = search(*flags);
  });
}

}  // namespace holdfast
