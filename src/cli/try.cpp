// `holdfast try LOCK`: reports whether the lock is safe, what is wrong, and how to fix it. Runs a short search of
// schedules if the lock can be stepped, then a generated suite with controls, and gives one answer.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <thread>

#include "artifact/error.hpp"
#include "artifact/json_text.hpp"
#include "artifact/run_directory.hpp"
#include "cli/command.hpp"
#include "cli/explore_results.hpp"
#include "cli/found_schedules.hpp"
#include "cli/help_text.hpp"
#include "cli/lock_words.hpp"
#include "cli/output.hpp"
#include "cli/run_and_report.hpp"
#include "cli/terminal.hpp"
#include "cli/time_flag.hpp"
#include "explore/explore_lab.hpp"
#include "explore/explorer.hpp"
#include "explore/within_text.hpp"
#include "lock/added_locks.hpp"
#include "lock/lock.hpp"
#include "lock/lock_texts.hpp"
#include "reports/assessment_text.hpp"
#include "reports/cell_assessment.hpp"
#include "reports/sentence.hpp"
#include "request_explore/parallel_labs.hpp"
#include "request_explore/request_explorer.hpp"
#include "request_explore/widening.hpp"
#include "servers/server_type.hpp"
#include "suite/expectation.hpp"

namespace holdfast {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr const char* kUsualLength = "90s";
constexpr int kLeast_s = 20;
constexpr int kMost_s = 86'400;
// Shares of the time. The search has the first; unused time goes to the trials. Trials begin until the end of the
// second share, or until the controls' share if no finding needs controls. Running trials finish, which takes the rest.
constexpr double kSearch = 0.2;
constexpr double kTrials = 0.6;
constexpr double kControls = 0.85;
constexpr double kMostSearch_s = 20;
constexpr const char* kSchedules = "every schedule (explore)";

struct TryFlags : RunFlags {
  std::string lock;
  std::string length = kUsualLength;
  int for_s = 0;  // `length` in seconds
};

// A number without a unit counts seconds.
int seconds_of(const std::string& length) {
  const bool number = !length.empty() && length.find_first_not_of("0123456789") == std::string::npos;
  const auto seconds = parse_budget(number ? length + "s" : length, "--for").count();
  if (seconds < kLeast_s || seconds > kMost_s) {
    throw BadInput("--for " + length + ": must be from 20s to 24h; remedy: --for 90s, or 5m");
  }
  return static_cast<int>(seconds);
}

// The named lock, or the only one added by the flags.
std::string lock_to_try(TryFlags& flags) {
  if (!flags.lock.empty()) {
    std::vector<std::string> words{flags.lock};
    take_lock_words(words, flags);
    return words.front();
  }
  const auto names = names_of({flags.adapters, flags.adapter_commands, flags.lock_files});
  if (names.size() == 1) return names.front();
  throw BadInput(
      "no lock given; remedy: holdfast try LOCK (holdfast list shows the names), or your own lock: my_lock.sql "
      "(docs/lock_file.md) or its lock.json (docs/adapters.md)");
}

// Reason why its schedules cannot be searched; empty: they can.
std::string why_no_search(const TryFlags& flags) {
  if (!flags.target.empty()) return "explore has servers of its own, and not --target";
  const LockType& type = type_of_ref(flags.locks.front());
  if (type.manifest == nullptr) return server_type(type.server).explore ? "" : "the server cannot be stepped";
  if (time_of(flags) == TimeMode::real) return "an adapter is stepped only in skipped time, not with --time real";
  return cannot_step_requests(type);
}

// A search, or the reason why there was none.
struct Searched {
  RunVerdict verdict;  // with one cell
  std::vector<FoundSchedule> schedules;
  std::string within;
  std::string why_not;
};

ExploreJob job_of_search(const TryFlags& flags) {
  ExploreJob job;
  job.settings.lock = flags.locks.front();
  job.limits.budget_s = std::min(kSearch * flags.for_s, kMostSearch_s);
  job.jobs = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  return job;
}

// An adapter's schedules take longer, so narrow bounds come first. The holders of a reentrant lock also acquire again,
// in a second search of the same time.
std::vector<ExploreJob> jobs_of_search(ExploreJob job) {
  const LockType& type = type_of_ref(job.settings.lock);
  if (type.manifest != nullptr) return widening(job);
  if (!type.reentrant) return {job};
  job.limits.budget_s /= 2;
  ExploreJob again = job;
  again.settings.reenter = true;
  return {job, again};
}

// Writes to the run's own folder.
Searched search_schedules(const TryFlags& flags, const std::string& folder) {
  Searched out;
  out.why_not = why_no_search(flags);
  if (!out.why_not.empty()) return out;
  const bool by_requests = type_of_ref(flags.locks.front()).manifest != nullptr;
  const ExploreJob job = job_of_search(flags);
  if (!flags.quiet) tell("searching every schedule within bounds, for at most {:.0f} s\n", job.limits.budget_s);
  const ExploreOrder order{jobs_of_search(job), {}};
  const auto no_progress = [](const ExploreResult&) {};
  ExploreOutcome outcome = by_requests ? explore_side_by_side(folder, order, catch_interrupts())
                                       : explore_in_lab(folder, order, catch_interrupts(), no_progress);
  if (outcome.results.empty() || (outcome.exit_code != 0 && !by_requests)) {
    out.why_not = outcome.error.empty() ? "the search did not finish" : outcome.error;
    return out;
  }
  outcome.results = {ExploreResult(most_telling(outcome.results))};
  RunDirectory(folder).write("explored.json", text_of_json(json_of(outcome.results)) + "\n");
  write_replays(folder, outcome.results);
  out.verdict = explored_verdict(outcome.results);
  out.schedules = found_schedules(folder, outcome.results);
  out.within = outcome.results.front().within;
  return out;
}

// Marks violations that no lease prevents as allowed, as they are in the other cells of the run.
void allow_lapses(Cell& cell) {
  if (cell.outcome != Outcome::unexpected) return;
  for (const TrialResult& trial : cell.trials) {
    const auto& all = trial.verdict.properties;
    const auto breaks = [&](const PropertyVerdict& property) { return breaks_promise(cell, trial, property); };
    if (std::any_of(all.begin(), all.end(), breaks)) return;
  }
  cell.outcome = Outcome::allowed;
  for (TrialResult& trial : cell.trials) trial.outcome = Outcome::allowed;
}

// Adds the search as another cell of the run.
void add_search(Searched& searched, const std::string& lock, const std::string& folder, RunVerdict& verdict) {
  if (!searched.why_not.empty()) {
    verdict.not_tried.insert(verdict.not_tried.begin(), {lock, kSchedules, searched.why_not});
    return;
  }
  for (auto& cell : searched.verdict.cells) {
    allow_lapses(cell);
    const TrialResult& trial = cell.trials.front();
    const RunDirectory run(folder);
    run.make_folders(trial.folder);
    run.write(trial.folder + "/verdict.json", text_of_json(to_json(trial.verdict), 1) + "\n");
    verdict.cells.push_back(std::move(cell));
  }
  verdict.scenarios.emplace_back(kExplored);
  verdict.within = searched.within;
  verdict.seconds += searched.verdict.seconds;
}

// For a replay file of the search.
std::string replay_command(const std::string& file, const TryFlags& flags) {
  ShellCommand out(program_as_typed());
  out.literal("replay").word(from_here(file));
  for (const auto& own : flags.lock_files) out.flag("--lock-file", own);
  for (const auto& manifest : flags.adapters) out.flag("--adapter", manifest);
  for (const auto& command : flags.adapter_commands) out.flag("--adapter-command", command);
  return out.text();
}

// A stored plan is repeated unchanged; a find of the search has its own file.
std::string replay_command(const std::string& folder, const TryFlags& flags, const LockFinding& finding) {
  ShellCommand out(program_as_typed());
  out.literal("replay");
  const Cell& cell = *finding.cases.front();
  if (cell.scenario != kExplored) {
    return out.word(from_here(folder)).word(cell.lock + "/" + cell.scenario).append(server_words(flags)).text();
  }
  if (finding.schedule) return replay_command(finding.schedule->replay, flags);
  std::error_code none;
  for (const auto& file : fs::directory_iterator(folder, none)) {
    if (file.path().extension() == ".replay") return replay_command(file.path().string(), flags);
  }
  return "";
}

std::string try_command(const TryFlags& flags, std::uint64_t seed) {
  ShellCommand out(program_as_typed());
  out.literal("try").word(flags.locks.front()).flag("--seed", std::to_string(seed));
  if (flags.strict) out.literal("--strict");
  if (flags.default_lease) out.literal("--default-lease");
  if (flags.length != kUsualLength) out.flag("--for", std::to_string(flags.for_s) + "s");
  return out.append(server_words(flags)).text();
}

int answer(const TryFlags& flags, const RunAssessment& found, const std::string& folder) {
  SeeAgain again{.page = from_here(folder + "/report.html"),
                 .command = try_command(flags, found.run.seed),
                 .circumstances = sentence_parts(found).circumstances,
                 .instead = lock_texts(parse_lock_ref(flags.locks.front()).lock).instead};
  for (const auto& finding : found.findings) {
    again.finds.push_back(replay_command(folder, flags, finding));
    again.schedules.push_back(finding.schedule ? replay_command(finding.schedule->replay, flags) : "");
  }
  if (flags.json) {
    print_json(assessment_json(found, again));
  } else {
    say("{}", folded(assessment_text(found, again, wants_colour(flags.colour)), screen_columns()));
  }
  return found.exit_code;
}

// Trials begin only in their share of the time, so the run may be shorter than --for.
std::string out_of_time(const TryFlags& flags) {
  return fmt::format("the part of the {} s that is for trials was over (for more: --for {}s)", flags.for_s,
                     3 * flags.for_s);
}

int try_lock(TryFlags flags) {
  const auto begin = Clock::now();
  const auto at = [&](double part) {
    return begin + std::chrono::milliseconds(static_cast<std::int64_t>(1000.0 * part * flags.for_s));
  };
  flags.locks = {lock_to_try(flags)};
  flags.paths = {kGenerated};
  flags.budget = std::to_string(flags.for_s) + "s";
  SuiteOptions options = suite_options(flags, ".");
  options.controls_until = at(kControls);
  options.out_of_time = out_of_time(flags);
  check_cells(flags, options);
  RunManifest manifest = new_manifest(flags, options, utc_now());
  manifest.command = rerun_command(flags, options.seed);
  int code = kExitHarness;
  Searched searched;
  const auto search = [&](SuiteOptions& begun) {
    searched = search_schedules(flags, begun.folder);
    begun.until = at(kTrials);
  };
  const auto end = [&](RunVerdict& verdict, const SuiteOptions& ended) {
    print_unavailable(verdict);
    add_search(searched, flags.locks.front(), ended.folder, verdict);
    verdict.exit_code = exit_code_of(verdict);
    verdict.exit_code = assess(verdict, searched.schedules).exit_code;
    code = answer(flags, write_results(verdict, ended.folder, searched.schedules), ended.folder);
  };
  run_and_report(flags, options, manifest, 0, end, search);
  return code;
}

}  // namespace

void add_try(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("try", "Test whether a lock is safe; print each flaw and its remedy");
  give_examples(command, {"holdfast try fenced_lease", "holdfast try my_lock.sql", "holdfast try ./my_lock --for 5m"});
  auto flags = std::make_shared<TryFlags>();
  command->add_option(
      "LOCK", flags->lock,
      "A lock's name, a file of statements (my_lock.sql), or the lock.json (or its folder) of a lock in another "
      "language");
  command->add_option("--for", flags->length, "Time limit, from 20s to 24h: 90s, 5m; trials already running finish")
      ->type_name("TIME")
      ->capture_default_str();
  auto* seed = command->add_option("--seed", flags->seed, "Seed of all random choices (default: random, printed)");
  seed->check(refuse_negative);
  command->add_option("--jobs", flags->jobs, "Trials in parallel (default: 6 per processor, 2 with adapters)")
      ->check(CLI::Range(1, 256));
  command->add_option("--out", flags->out, "Folder in which to create this run's folder")->capture_default_str();
  command->add_option("--color", flags->colour, "Colours on the terminal")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->capture_default_str();
  add_server_flags(command, *flags);
  add_time_flag(command, flags->time);
  add_strict_flag(command, flags->strict);
  add_default_lease_flag(command, flags->default_lease);
  command->add_flag("--json", flags->json, "Print the answer as JSON");
  command->add_flag("-q,--quiet", flags->quiet, "Do not show progress");
  command->callback([flags, seed, &exit_code] {
    flags->seed_given = seed->count() > 0;
    flags->for_s = seconds_of(flags->length);
    exit_code = try_lock(*flags);
  });
}

}  // namespace holdfast
