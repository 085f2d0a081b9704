#include "cli/run_and_report.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <random>
#include <thread>

#include "adapter/scheduler_wait.hpp"
#include "artifact/error.hpp"
#include "artifact/run_directory.hpp"
#include "cli/command.hpp"
#include "cli/foreseen_cells.hpp"
#include "cli/generated_run.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/terminal.hpp"
#include "hosts/remote_keeper.hpp"
#include "lock/lock.hpp"
#include "reports/durations.hpp"
#include "reports/lock_answer.hpp"
#include "reports/progress_text.hpp"
#include "suite/expectation.hpp"
#include "suite/other_lease.hpp"
#include "suite/placed_suite.hpp"
#include "suite/silent_cells.hpp"
#include "suite/stored_result.hpp"
#include "suite/trial_job.hpp"

namespace holdfast {
namespace {

void add_suite(GeneratedSuite suite, SuiteOptions& options) {
  std::move(suite.scenarios.begin(), suite.scenarios.end(), std::back_inserter(options.scenarios));
  std::move(suite.left_out.begin(), suite.left_out.end(), std::back_inserter(options.left_out));
}

std::vector<Scenario> with_lease_of(const std::string& lock, std::vector<Scenario> worlds, const RunFlags& flags) {
  const std::int64_t lease_ms = tried_lease_ms(flags, lock);
  if (lease_ms == 0) return worlds;
  for (Scenario& world : worlds) world = with_lease(world, lease_ms);
  return worlds;
}

// Describes a word that looks like a path; empty: it does not.
std::string not_a_lock(const std::string& word) {
  const std::filesystem::path path(word);
  std::error_code none;
  if (std::filesystem::is_regular_file(path, none)) {
    const bool is_log = path.extension() == ".jsonl" || path.extension() == ".edn" || path.extension() == ".log";
    return word + (is_log ? ": is a log of calls, not a lock; remedy: holdfast check " + word
                          : ": is not a lock file; remedy: give a file such as my_lock.sql (docs/lock_file.md), or a "
                            "lock.json");
  }
  if (std::filesystem::is_directory(path, none)) {
    return word + ": has no lock.json; remedy: holdfast adapter new creates a folder with one (docs/adapters.md)";
  }
  return word.find('/') == std::string::npos ? ""
                                             : word +
                                                   ": no such file or folder; remedy: give a lock file, or an "
                                                   "adapter's folder";
}

// Prints the remedy first, and no list of all locks, since none of them was meant.
void check_lock(const std::string& named) {
  const std::string lock = named.substr(0, named.find('+'));
  if (find_entry(locks(), lock) != nullptr) return;
  std::error_code none;
  if (std::filesystem::is_regular_file(lock + "/lock.json", none)) {
    throw BadInput("--lock " + named + ": unknown lock; remedy: add --adapter " + lock + ", which has its lock.json");
  }
  if (const std::string why = not_a_lock(lock); !why.empty()) throw BadInput(why);
  throw BadInput("--lock: " + unknown_word("lock", lock, entry_names(locks())) +
                 "; remedy: --adapter FOLDER for your own lock; holdfast list locks lists the built-in ones");
}

// Estimates the duration; trials run in parallel, and their set-up time is unknown, so the text says "about".
std::string how_long(const SuiteOptions& all, const std::vector<Cell>& done) {
  constexpr std::int64_t kAround_ms = 4000;
  std::int64_t together_ms = 0;
  std::int64_t trials = 0;
  for (const Cell& cell : plan_cells(all)) {
    const bool ended = std::any_of(done.begin(), done.end(), [&cell](const Cell& other) {
      return other.lock == cell.lock && other.scenario == cell.scenario;
    });
    if (ended) continue;
    together_ms += scenario_of(all, cell).settings_of(cell.lock).load.duration_ms + kAround_ms;
    ++trials;
  }
  const std::int64_t seconds = together_ms / 1000 / std::max(1, all.jobs) * all.repeat;
  return fmt::format("{} generated for this lock; about {} s", plural(trials, "more scenario", "more scenarios"),
                     seconds);
}

std::string suites_of(const SuiteOptions& options) {
  std::vector<std::string> names;
  for (const auto& scenario : options.scenarios) {
    if (std::find(names.begin(), names.end(), scenario.suite) == names.end()) names.push_back(scenario.suite);
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

std::size_t repetitions_of(const SuiteOptions& options) {
  return static_cast<std::size_t>(options.repeat) * std::max<std::size_t>(1, options.seeds.size());
}

// Each adapter is a program per client, possibly with an interpreter or virtual machine, and needs more processor time.
bool any_adapter(const SuiteOptions& options) {
  return std::any_of(options.scenarios.begin(), options.scenarios.end(), [](const Scenario& scenario) {
    return std::any_of(scenario.locks.begin(), scenario.locks.end(), [](const std::string& name) {
      const LockType* type = find_entry(locks(), name.substr(0, name.find('+')));
      return type != nullptr && type->manifest != nullptr;
    });
  });
}

// In real time trials mostly sleep once their processes have started. In skipped time they never idle.
int trials_a_processor(const SuiteOptions& options) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  constexpr int kOwn = 2;  // half a second of processor time per start
#else
  constexpr int kOwn = 6;
#endif
  return any_adapter(options) || options.time == TimeMode::skipped ? 2 : kOwn;
}

std::vector<Scenario> scenarios_in(const std::vector<std::string>& paths, const std::string& directory) {
  std::vector<Scenario> out;
  for (const auto& path : paths) {
    const std::string there = directory == "." ? path : (std::filesystem::path(directory) / path).string();
    const std::string file = find_suite(std::filesystem::exists(there) ? there : path);
    for (auto& scenario : load_suite(file)) out.push_back(std::move(scenario));
  }
  return out;
}

// `options` has the first scenario of each lock.
RunVerdict run_generated(const RunFlags& flags, const SuiteOptions& options,
                         const std::function<void(const SuiteProgress&)>& progress,
                         const std::atomic<bool>& interrupted) {
  SuiteOptions all = options;
  all.only.clear();
  all.once = !options.stop_at_first;  // a find has its controls immediately
  RunVerdict first = run_suite(all, progress, interrupted);
  if (first.interrupted || (!first.stopped.empty() && !shows_facts(first))) return first;
  if (options.stop_at_first && first.exit_code == kExitNotAsExpected) {
    first.stopped = kStoppedAtFirst;
    return first;
  }
  all.once = false;
  all.resume = true;  // completed trials are not repeated
  if (shows_facts(first)) {
    add_shown_scenarios(flags, options.folder, all);
    all.only = options.only;
    if (!flags.quiet) tell("{}\n", how_long(all, first.cells));
  }
  RunVerdict out = run_suite(all, progress, interrupted);
  out.seconds += first.seconds;
  set_silent_cells_apart(out);
  return out;
}

// A grade applies to a whole suite; part of its cells, or a shard, gives too little evidence.
bool grades_count(const RunFlags& flags) {
  const bool whole = flags.only.patterns.empty() && flags.shard.empty();
  return flags.strict || (whole && (generates(flags) || flags.libraries));
}

RunVerdict run_and_report_in(const RunFlags& flags, SuiteOptions& options, const RunManifest& manifest,
                             double seconds_before, const RunEnding& ending, const RunBeginning& beginning) {
  const auto& interrupted = catch_interrupts();
  const bool resumes = options.resume;
  const std::string root = resumes ? std::filesystem::path(options.folder).parent_path().string() : flags.out;
  expect_short_enough(root, longest_trial_folder(options));
  const auto place = open_place(flags);
  options.target = place.get();
  const auto hosts = flags.hosts.empty() ? nullptr : std::make_unique<Hosts>(load_hosts(flags.hosts));
  options.hosts = hosts.get();
  if (place && flags.jobs == 0) options.jobs = 1;  // a user's server runs one trial at a time
  if (!resumes) options.folder = new_run_folder(flags.out);
  if (!resumes) write_manifest(manifest, options.folder);
  const OrderLock lock(options.folder);
  if (resumes) RunDirectory(options.folder).remove("verdict.json");  // incomplete until it is written again
  if (!flags.budget.empty()) options.until = std::chrono::steady_clock::now() + parse_budget(flags.budget);
  if (beginning) beginning(options);
  ProgressLine line(flags.quiet);
  const auto show = [&line](const SuiteProgress& p) {
    const std::string came = p.last != nullptr ? to_text(p.last->outcome) : p.control;
    line.show(p.done, p.trials, p.cell->lock + "/" + p.cell->scenario + " " + came);
  };
  line.start(check_cells(flags, options) * repetitions_of(options), options.seed, options.jobs, options.folder);
  RunVerdict verdict =
      generates(flags) ? run_generated(flags, options, show, interrupted) : run_suite(options, show, interrupted);
  if (!generates(flags) && !flags.locks.empty()) set_silent_cells_apart(verdict);
  line.end();
  if (const std::string slowest = slowest_trials(verdict); !flags.quiet && !slowest.empty()) {
    tell("slowest trials: {}\n", slowest);
  }
  if (place && any_adapter(options)) {
    tell("holdfast: {}: data that adapters created there was not removed; its names begin with holdfast_\n",
         place->target().place());
  }
  close_place(place.get(), verdict.server);
  verdict.started_utc = manifest.started_utc;
  verdict.seconds += seconds_before;
  verdict.version = HOLDFAST_VERSION;
  verdict.strict = flags.strict;
  verdict.suite = suites_of(options);
  verdict.command = with_patterns_kept(manifest.command, flags.only, options.folder);
  verdict.shard = flags.shard;
  compare_with_baseline(flags.against, verdict);
  keep_baseline(flags.against, verdict);
  ending ? ending(verdict, options) : report_run(verdict, flags, options, manifest);
  return verdict;
}

}  // namespace

bool generates(const RunFlags& flags) {
  return std::find(flags.paths.begin(), flags.paths.end(), kGenerated) != flags.paths.end();
}

void check_generated(const RunFlags& flags) {
  for (const auto& lock : flags.locks) check_lock(lock);
  if (!generates(flags)) return;
  if (flags.paths.size() > 1)
    throw BadInput("generated: cannot be combined with other suites; remedy: run them separately");
  if (flags.locks.empty()) {
    throw BadInput(
        "generated: no lock given; remedy: holdfast run generated --adapter FOLDER, or --lock NAME (holdfast list "
        "locks)");
  }
}

std::size_t check_cells(const RunFlags& flags, const SuiteOptions& options) {
  if (!generates(flags)) return plan_cells(options).size();
  check_foreseen(flags);
  SuiteOptions first = options;
  first.only.clear();  // may name cells that do not exist yet
  return plan_cells(first).size();
}

void take_grades(const RunFlags& flags, RunVerdict& verdict) {
  if (grades_count(flags)) verdict.exit_code = exit_code_with_grades(assess(verdict));
}

void report_run(RunVerdict& verdict, const RunFlags& flags, const SuiteOptions& options, const RunManifest& manifest) {
  print_unavailable(verdict);
  if (const std::string why = not_counted(); !why.empty()) tell("holdfast: {}\n", why);
  take_grades(flags, verdict);
  const RunAssessment found = write_results(verdict, options.folder);
  print_result(found, options.folder, flags.json, wants_colour(flags.colour));
  if (verdict.stopped.empty()) return;
  const std::string resume = resume_command(flags, from_here(options.folder));
  const bool replay = !manifest.replay_of.empty();  // starts again from the beginning
  tell("holdfast: {}; {}: {}\n", verdict.stopped, replay ? "again" : "go on", replay ? manifest.command : resume);
}

void add_scenarios(const RunFlags& flags, const std::string& directory, SuiteOptions& options) {
  if (generates(flags)) {
    for (const auto& lock : flags.locks) {
      // With --only, other cells do not run first; this trial shows which cells exist.
      const std::int64_t lease_ms = tried_lease_ms(flags, lock);
      auto first =
          flags.only.patterns.empty() ? first_scenarios(lock, lease_ms) : std::vector{lapses_scenario(lock, lease_ms)};
      std::move(first.begin(), first.end(), std::back_inserter(options.scenarios));
    }
    return;
  }
  if (flags.default_lease && flags.locks.empty()) {
    throw BadInput(
        "--default-lease: scenarios set their own leases; remedy: name the lock with --lock, or run generated");
  }
  std::vector<Scenario> worlds = scenarios_in(flags.paths, directory);
  for (const auto& lock : flags.locks) add_suite(place_lock(with_lease_of(lock, worlds, flags), lock), options);
  if (flags.locks.empty()) options.scenarios = std::move(worlds);
}

SuiteOptions suite_options(RunFlags& flags, const std::string& directory, const std::string& asked_in) {
  SuiteOptions options;
  const auto named = add_named_adapters(flags);
  if (generates(flags) && flags.locks.empty()) flags.locks = named;
  const auto read = [&] {
    check_generated(flags);
    add_scenarios(flags, directory, options);
  };
  asked_in.empty() ? read() : read_as_asked(asked_in, read);
  options.only = flags.only.patterns;
  options.only_from = flags.only.places;
  if (!flags.seeds.empty()) options.seeds = parse_seeds(flags.seeds);
  options.seed = flags.seed_given ? flags.seed : std::random_device{}();
  if (!options.seeds.empty()) options.seed = options.seeds.front();
  if (!flags.budget.empty()) parse_budget(flags.budget);  // throws if it is invalid
  options.out_of_time = "the time budget of " + flags.budget + " was over";
  options.rule = take_stop_rule(flags);
  options.repeat = flags.repeat;
  const int processors = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  options.time = time_of(flags);
  options.jobs = flags.jobs > 0 ? flags.jobs : processors * trials_a_processor(options);
  options.sabotage = flags.sabotage;
  options.controls = flags.controls;
  options.stop_at_first = flags.first;
  options.in_order = generates(flags);
  options.servers = flags.servers;
  check_servers(flags);
  return options;
}

// If the folder of an active run is removed, the run fails with that reason, whichever file is missed first.
RunVerdict run_and_report(const RunFlags& flags, SuiteOptions& options, const RunManifest& manifest,
                          double seconds_before, const RunEnding& ending, const RunBeginning& beginning) {
  try {
    return run_and_report_in(flags, options, manifest, seconds_before, ending, beginning);
  } catch (const BadInput&) {
    if (options.folder.empty() || std::filesystem::is_directory(options.folder)) throw;
    throw HarnessError(options.folder + ": the folder no longer exists");
  }
}

}  // namespace holdfast
