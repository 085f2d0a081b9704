// `holdfast replay` repeats a finding. With a replay file: the schedule found by explore, word by word. With a run's
// folder and a cell: the stored plan of one of its trials, with real processes.
#include <fcntl.h>
#include <fmt/format.h>
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "artifact/error.hpp"
#include "artifact/json_text.hpp"
#include "artifact/run_directory.hpp"
#include "cli/command.hpp"
#include "cli/explore_output.hpp"
#include "cli/help_text.hpp"
#include "cli/library_words.hpp"
#include "cli/output.hpp"
#include "cli/run_and_report.hpp"
#include "cli/run_flags.hpp"
#include "cli/stored.hpp"
#include "cli/terminal.hpp"
#include "cli/time_flag.hpp"
#include "explore/explore_lab.hpp"
#include "explore/replay_file.hpp"
#include "explore/schedule_script.hpp"
#include "history/history.hpp"
#include "lock/added_locks.hpp"
#include "lock/lock.hpp"
#include "request_explore/request_explorer.hpp"
#include "servers/server_type.hpp"
#include "suite/stored_result.hpp"
#include "suite/trial_job.hpp"

namespace holdfast {
namespace {

// Repeats a cell of an earlier run: the stored plan of one of its trials, k times, under its stored scenario.
//
//   holdfast replay runs/latest nowait_lease/skew --repeat 5
//   reproduced 4 of 5: lease_exclusion:client_skew 4/5
//
// The plan is the same each time; the operating system's timing is not. A trial reproduces the result if every property
// violated then is violated again, with the same kind; without a violation, if the judgements are equal. A trial that
// could not be judged reproduces nothing. The result is a run of its own whose exit code compares with the scenario's
// expectation; if a violation did not occur again, the code is 3 instead of 0.

struct ReplayCell {
  std::string folder;  // of the run
  std::string cell;    // LOCK/SCENARIO
  int trial = 0;       // 0: the first with a violation, else the first
  int repeat = 1;
  int jobs = 0;  // parallel trials; 0: as in `run`
  std::string out = "runs";
  bool json = false;
  bool quiet = false;
  ServerFlags on;  // from this command line; must match the earlier run
};

// "lease_exclusion:algorithm" for each violation; for a trial without one its judgement.
std::set<std::string> findings_of(const TrialVerdict& verdict) {
  std::set<std::string> out;
  for (const auto& property : verdict.properties) {
    if (property.judgement == Judgement::violated) out.insert(property.property + ":" + property.kind);
  }
  if (out.empty()) out.insert(to_text(verdict.judgement));
  return out;
}

struct StoredTrial {
  std::string folder;  // below the run's folder
  std::string lock;
  std::string scenario;
  int number = 0;  // 0: none was found
  TrialVerdict verdict;
  TimeMode time = TimeMode::real;  // time mode of that trial
};

[[noreturn]] void refuse_cell(const ReplayCell& asked) {
  std::vector<std::string> names;
  const RunDirectory run(asked.folder);
  for (const auto& lock : run.folders_in("cells")) {
    for (const auto& scenario : run.folders_in("cells/" + lock)) names.push_back(lock + "/" + scenario);
  }
  if (names.empty()) verdict_file(asked.folder);  // throws with what the folder is instead
  if (names.empty()) throw BadInput(asked.folder + ": has no trials; remedy: give the folder of a run");
  if (std::find(names.begin(), names.end(), asked.cell) == names.end()) {
    throw BadInput(unknown_word("cell", asked.cell, names));
  }
  throw BadInput(asked.folder + ": no trial of " + asked.cell +
                 " began; remedy: resume that run, or name another cell");
}

// Finds the requested trial, else the first with a violation, else the first that was judged.
StoredTrial stored_trial(const ReplayCell& asked) {
  const auto slash = asked.cell.find('/');
  if (slash == std::string::npos || asked.cell.find('/', slash + 1) != std::string::npos) refuse_cell(asked);
  StoredTrial out;
  out.lock = asked.cell.substr(0, slash);
  out.scenario = asked.cell.substr(slash + 1);
  const RunDirectory run(asked.folder);
  const auto folder_of = [&](int number) { return trial_folder(out.lock, out.scenario, number); };
  if (!run.has_folder(folder_of(1))) refuse_cell(asked);
  const int first = std::max(1, asked.trial);
  for (int number = first; run.has_folder(folder_of(number)); ++number) {
    const std::string name = folder_of(number) + "/verdict.json";
    if (run.has(name)) {
      TrialVerdict verdict = read_json_file(run.file(name), from_json<TrialVerdict>);
      const bool broke = verdict.judgement == Judgement::violated;
      if (out.number == 0 || broke) {
        out.number = number;
        out.verdict = std::move(verdict);
      }
      if (broke) break;
    }
    if (asked.trial > 0) break;
  }
  if (out.number == 0) throw BadInput(run.path_of(folder_of(first)) + ": none of its trials was judged");
  out.folder = folder_of(out.number);
  const std::string history = out.folder + "/history.jsonl";
  if (run.has(history)) check_whole(run.file(history));
  if (const auto stored = stored_result(asked.folder, out.folder)) {
    check_evidence(run, out.folder, stored->sums, MissingFiles::allowed);
    out.time = stored->result.time;
  }
  return out;
}

// The earlier run's servers must be given again: the same programs, or the same server of the user.
RunFlags replay_flags(const ReplayCell& asked) {
  RunFlags out;
  if (RunDirectory(asked.folder).has("run.json")) {
    const RunManifest order = stored_manifest(asked.folder);
    check_servers_of(asked.folder, order.flags, order.directory, asked.on);
  }
  static_cast<ServerFlags&>(out) = asked.on;
  out.repeat = asked.repeat;
  out.jobs = asked.jobs;
  out.out = asked.out;
  out.json = asked.json;
  out.quiet = asked.quiet;
  return out;
}

Scenario stored_scenario(const RunDirectory& run, const StoredTrial& trial) {
  Scenario out = load_scenario(run.file(trial.folder + "/scenario.json"));
  out.name = trial.scenario;
  out.suite = "replay";
  out.locks = {trial.lock};
  return out;
}

// Counts how often the earlier findings occurred again.
struct Reproduced {
  int whole = 0;   // trials that reproduced all findings
  int failed = 0;  // trials without a reliable judgement
  std::map<std::string, int> times;
};

Reproduced count_reproduced(const RunVerdict& run, const std::set<std::string>& wanted) {
  Reproduced out;
  for (const auto& trial : run.cells.at(0).trials) {
    if (trial.outcome == Outcome::harness_error || trial.verdict.properties.empty()) {
      ++out.failed;
      continue;
    }
    const auto seen = findings_of(trial.verdict);
    for (const auto& word : seen) ++out.times[word];
    if (std::includes(seen.begin(), seen.end(), wanted.begin(), wanted.end())) ++out.whole;
  }
  return out;
}

// "reproduced 1 of 2: mutual_exclusion:algorithm 2/2, ownership:foreign_release 1/2"
std::string reproduced_text(const Reproduced& seen, const std::set<std::string>& wanted, int repeat) {
  std::string out = fmt::format("reproduced {} of {}", seen.whole, repeat);
  for (const auto& word : wanted) {
    const auto times = seen.times.find(word);
    out += fmt::format("{}{} {}/{}", &word == &*wanted.begin() ? ": " : ", ", word,
                       times == seen.times.end() ? 0 : times->second, repeat);
  }
  std::string others;
  for (const auto& [word, count] : seen.times) {
    if (!wanted.contains(word))
      others += fmt::format("{} {} {}/{}", others.empty() ? "; also seen:" : ",", word, count, repeat);
  }
  return out + others + (seen.failed == 0 ? "" : fmt::format("; the harness failed in {}", seen.failed));
}

// A clean replay of a violation proves nothing: it may be chance, or the lock was fixed.
void tell_not_again(const StoredTrial& before, const Reproduced& seen, int repeat, RunVerdict& again) {
  const bool judged = seen.failed < repeat && !again.interrupted;
  if (before.verdict.judgement != Judgement::violated || seen.whole > 0 || !judged) return;
  const auto wanted = findings_of(before.verdict);
  const bool some =
      std::any_of(wanted.begin(), wanted.end(), [&](const auto& word) { return seen.times.contains(word); });
  again.not_again =
      fmt::format("{}: reproduced 0 of {}",
                  some ? "the violation was reproduced only in part" : "the violation was not reproduced", repeat);
  if (again.exit_code == kExitAsExpected) again.exit_code = kExitUndecided;
}

// The adapter in the stored plan is compared, never executed.
void check_adapter(const Plan& plan, const std::string& folder) {
  if (plan.adapter == stored_lock(parse_lock_ref(plan.lock).lock)) return;
  throw BadInput(folder + "/plan.json: the trial used a different adapter or lock named " + plan.lock +
                 "; remedy: give the original lock.json or file of statements: --adapter FILE, --lock-file FILE");
}

// The stored plan names the lock; any program but an installed library's the user has to name, because a run's folder
// may come from anywhere.
void expect_known_lock(const ReplayCell& asked, const StoredTrial& trial) {
  const std::string lock = trial.lock.substr(0, trial.lock.find('+'));
  if (find_entry(locks(), lock) != nullptr) return;
  const bool of_libraries =
      RunDirectory(asked.folder).has("run.json") && stored_manifest(asked.folder).flags.libraries.has_value();
  throw BadInput(asked.folder + ": " + lock + " is not a built-in lock; remedy: " +
                 (of_libraries ? "install the library of that run (holdfast libraries install NAME)"
                               : "add the --adapter or --lock-file of that run"));
}

// Throws BadInput.
int replay_cell(const ReplayCell& as_typed) {
  ReplayCell asked = as_typed;
  std::error_code none;  // runs/latest will name another run as soon as this one begins
  asked.folder = from_here(std::filesystem::canonical(as_typed.folder, none).string());
  const RunDirectory run(asked.folder);
  const StoredTrial trial = stored_trial(asked);
  RunFlags flags = replay_flags(asked);
  add_libraries_of_run(asked.folder, {trial.lock.substr(0, trial.lock.find('+'))}, flags);
  SuiteOptions options = suite_options(flags, ".");
  expect_known_lock(asked, trial);
  options.stored_plan = load_plan(run.file(trial.folder + "/plan.json"));
  options.scenarios = {stored_scenario(run, trial)};
  options.seed = options.stored_plan->seed;
  if (!flags.time && flags.target.empty()) options.time = trial.time;
  plan_cells(options);
  check_adapter(*options.stored_plan, run.path_of(trial.folder));
  RunManifest order = new_manifest(flags, options, utc_now());
  order.replay_of = run.path_of(trial.folder);
  ShellCommand command(program_as_typed());
  command.literal("replay").word(asked.folder).word(asked.cell).flag("--trial", std::to_string(trial.number));
  command.flag("--repeat", std::to_string(asked.repeat)).append(server_words(asked.on));
  order.command = command.text();
  const auto wanted = findings_of(trial.verdict);
  std::string told;
  const RunVerdict out = run_and_report(flags, options, order, 0, [&](RunVerdict& again, const SuiteOptions& ended) {
    const Reproduced seen = count_reproduced(again, wanted);
    tell_not_again(trial, seen, asked.repeat, again);
    report_run(again, flags, ended, order);
    told = reproduced_text(seen, wanted, asked.repeat);
  });
  print_lines(asked.json ? stderr : stdout, terminal_text("{}\n", terminal_lines(told)));
  return out.exit_code;
}

struct ReplayFlags : ServerFlags {
  std::string file;  // or a run's folder
  std::string cell;
  int trial = 0;
  std::string out = "runs";
  std::string script;  // file to write
  int repeat = 1;
  int jobs = 0;
  bool json = false;
  bool quiet = false;
};

// The schedule as a program of its own.
std::string script_of(const ExploreFind& seen, const std::string& lock) {
  const LockType& type = type_of_ref(lock);
  const ScriptForm& form = server_type(type.server).script;
  const StatementFile file = lock_file(parse_lock_ref(lock).lock);
  const std::string isolation = isolation_of(type);
  if (!isolation.empty() && isolation != server_type(type.server).isolation) {
    throw BadInput("no script: the sessions of " + lock + " have the isolation level " + isolation +
                   "; remedy: holdfast replay without --script");
  }
  if (!form.by_words && file.text.empty()) {
    throw BadInput("no script: " + lock + " is an adapter, and of its statements only summaries are known; remedy: " +
                   "holdfast replay without --script");
  }
  return schedule_script(seen, {lock, form, form.schema == nullptr ? "" : form.schema(file)});
}

int replay_schedule(const ReplayFlags& flags) {
  add_named_adapters(flags);
  const ReplayFile replay = load_replay(flags.file);
  const ExploreOrder order{{}, {{replay.settings, replay.words, flags.repeat}}};
  const std::string folder = new_run_folder(flags.out, false);  // it writes no reports: `latest` stays
  const std::atomic<bool> never{false};
  const bool by_requests = type_of_ref(replay.settings.lock).manifest != nullptr;
  const ExploreLabPart part = by_requests ? kRequestExplorer : ExploreLabPart{};
  const auto outcome = explore_in_lab(
      folder, order, never, [](const ExploreResult&) {}, part);
  if (outcome.exit_code == kExitUsage) throw BadInput(flags.file + ": " + outcome.error);
  if (outcome.exit_code == kExitUnavailable) throw Unavailable(outcome.error);
  if (outcome.exit_code != 0) throw HarnessError(outcome.error);
  const auto& result = outcome.results.front();
  const std::string script =
      flags.script.empty() ? "" : script_of(result.violations.front(), replay.settings.lock);  // or refuses, first
  if (!script.empty()) write_whole(AT_FDCWD, flags.script, script, false, flags.script);
  if (flags.json) {
    print_json(to_json(result));
  } else {
    print_replayed(result, flags.repeat);
  }
  const ExploreFind& seen = result.violations.front();
  if (!script.empty() && !flags.json) say("script: {}\n", flags.script);
  const bool violated = !seen.invariant.empty() && seen.counts;
  return violated ? kExitNotAsExpected : kExitAsExpected;
}

int replay(const ReplayFlags& flags) {
  const bool of_run = std::filesystem::is_directory(flags.file);
  if (!flags.cell.empty() && !std::filesystem::exists(flags.file)) verdict_file(flags.file);  // tells what to name
  if (of_run && flags.cell.empty()) throw BadInput(flags.file + ": no cell given; remedy: add LOCK/SCENARIO");
  if (of_run && !flags.script.empty()) {
    throw BadInput("--script needs a schedule found by explore; remedy: name its replay file, such as " + flags.file +
                   "/LOCK.two_holders.replay");
  }
  if (of_run)
    return replay_cell(
        {flags.file, flags.cell, flags.trial, flags.repeat, flags.jobs, flags.out, flags.json, flags.quiet, flags});
  if (!flags.cell.empty())
    throw BadInput(flags.file + ": is not a run's folder, so a cell ('" + flags.cell + "') cannot be given");
  if (!flags.servers.empty() || !flags.target.empty()) {
    throw BadInput(flags.file +
                   ": a schedule runs in its own lab; --server and --target apply only to the cells of a run");
  }
  return replay_schedule(flags);
}

}  // namespace

void add_replay(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("replay", "Repeat a cell of an earlier run, or a schedule found by explore");
  give_examples(command,
                {"holdfast replay runs/latest ip_lease/pause", "holdfast replay runs/latest ip_lease/pause --repeat 20",
                 "holdfast replay runs/latest/ip_lease.two_holders.replay --script a.sh"});
  auto flags = std::make_shared<ReplayFlags>();
  command->add_option("RUN", flags->file, "A run's folder, or a replay file (docs/explore.md)")->required();
  command->add_option("CELL", flags->cell, "For a run: LOCK/SCENARIO");
  command->add_option("--trial", flags->trial, "For a run: number of the trial (default: the first with a violation)")
      ->check(CLI::Range(1, 100'000));
  command->add_option("--repeat", flags->repeat, "Number of repetitions; a replay file fails if one of them differs")
      ->check(CLI::Range(1, 100'000))
      ->capture_default_str();
  command->add_option("--jobs", flags->jobs, "For a run: trials in parallel (default: as holdfast run)")
      ->check(CLI::Range(1, 1'000));
  command->add_option("--script", flags->script,
                      "For a replay file: also write it as a shell script for a plain server (docs/explore.md)");
  add_server_flags(command, *flags);
  add_time_flag(command, flags->time);
  add_hosts_flag(command, *flags);
  command->add_option("--out", flags->out, "Folder in which to create this run's folder")->capture_default_str();
  command->add_flag("--json", flags->json, "As JSON");
  command->add_flag("-q,--quiet", flags->quiet, "Do not show progress");
  command->callback([flags, &exit_code] { exit_code = replay(*flags); });
}

}  // namespace holdfast
