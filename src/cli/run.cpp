// `holdfast run`: carries out suites and compares what was seen with what they expect.
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <nlohmann/json.hpp>
#include <random>
#include <thread>

#include "artifact/error.hpp"
#include "artifact/json_text.hpp"
#include "cli/command.hpp"
#include "cli/find_suite.hpp"
#include "cli/output.hpp"
#include "lab/server_choice.hpp"
#include "suite/suite.hpp"

namespace holdfast {
namespace {

std::atomic<bool> interrupted{false};

struct RunFlags {
  std::vector<std::string> paths;
  std::vector<std::string> only;
  std::string out = "runs";
  std::string colour = "auto";
  std::string sabotage;
  std::vector<std::string> servers;
  std::string target;
  std::string target_run;
  std::uint64_t seed = 0;
  bool seed_given = false;
  int repeat = 1;
  int jobs = 0;
  bool controls = false;
  bool json = false;
  bool quiet = false;
};

SuiteOptions suite_options(const RunFlags& flags) {
  SuiteOptions options;
  for (const auto& path : flags.paths) {
    for (auto& scenario : load_suite(find_suite(path))) options.scenarios.push_back(std::move(scenario));
  }
  options.only = flags.only;
  options.seed = flags.seed_given ? flags.seed : std::random_device{}();
  options.repeat = flags.repeat;
  options.jobs = flags.jobs > 0 ? flags.jobs : 6 * static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  options.sabotage = flags.sabotage;
  options.controls = flags.controls;
  options.servers = flags.servers;
  for (const auto& server : flags.servers) choose_server(server);  // tells what is wrong
  return options;
}

std::string suites_of(const SuiteOptions& options) {
  std::vector<std::string> names;
  for (const auto& scenario : options.scenarios) {
    if (std::find(names.begin(), names.end(), scenario.suite) == names.end()) names.push_back(scenario.suite);
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

// The command that repeats this run, as it can be pasted where this one was typed.
std::string rerun_command(const RunFlags& flags, std::uint64_t seed) {
  std::string command = program_as_typed() + " run";
  for (const auto& path : flags.paths) command += " " + shell_word(path);
  for (const auto& cell : flags.only) command += " --only " + shell_word(cell);
  command += " --seed " + std::to_string(seed);
  if (flags.repeat > 1) command += " --repeat " + std::to_string(flags.repeat);
  if (flags.controls) command += " --controls";
  for (const auto& server : flags.servers) command += " --server " + shell_word(server);
  if (!flags.target.empty()) command += " --target " + shell_word(parse_target(flags.target).text());
  return command;
}

std::string utc_now() {
  char text[32];
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  ::gmtime_r(&now, &utc);
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}

void catch_interrupts() {
  struct sigaction action {};
  action.sa_handler = [](int) { interrupted.store(true); };
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
  ::sigaction(SIGHUP, &action, nullptr);
  ::signal(SIGPIPE, SIG_IGN);
}

// The user's server bears one trial after the other, unless --jobs says more.
std::unique_ptr<TargetPlace> open_place(const RunFlags& flags, SuiteOptions& options) {
  if (flags.target.empty()) return nullptr;
  const Target target = parse_target(flags.target);
  if (!target.prefix.empty()) throw BadInput("--target: nothing may follow the database");
  auto place = open_target(target, flags.target_run.empty() ? new_run_name() : flags.target_run);
  for (const auto& line : place->sweep())
    std::fprintf(stderr, "holdfast: %s: %s\n", target.place().c_str(), line.c_str());
  options.target = place.get();
  if (flags.jobs == 0) options.jobs = 1;
  return place;
}

int run(const RunFlags& flags) {
  SuiteOptions options = suite_options(flags);
  const auto cells = plan_cells(options);  // tells what is wrong before anything starts
  catch_interrupts();
  const auto place = open_place(flags, options);
  options.folder = new_run_folder(flags.out);
  ProgressLine line(flags.quiet);
  line.start(cells.size() * static_cast<std::size_t>(flags.repeat), options.seed, options.jobs, options.folder);
  const std::string started = utc_now();
  RunVerdict verdict = run_suite(
      options, [&line](const SuiteProgress& p) { line.show(p); }, interrupted);
  line.end();
  if (place) {
    for (const auto& left : place->close()) std::fprintf(stderr, "holdfast: %s\n", left.c_str());
    if (!verdict.server.empty()) verdict.server += " at " + place->target().place();
  }
  verdict.started_utc = started;
  verdict.version = HOLDFAST_VERSION;
  verdict.suite = suites_of(options);
  verdict.command = rerun_command(flags, options.seed);
  print_unavailable(verdict);
  write_results(verdict, options.folder);
  print_result(verdict, options.folder, flags.json, wants_colour(flags.colour));
  return verdict.exit_code;
}

}  // namespace

void add_run(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("run", "Run scenarios and compare what is seen with what they expect");
  auto flags = std::make_shared<RunFlags>();
  command->add_option("suite", flags->paths, "Folders of scenarios, or scenario files")->required();
  command->add_option("--only", flags->only, "Only the cells LOCK/SCENARIO (either may be *); may be repeated");
  auto* seed =
      command->add_option("--seed", flags->seed, "Seed of all random choices (default: a random one, printed)");
  seed->check([](const std::string& text) {  // the parser would take -1 for a very large number
    return text.find_first_not_of("0123456789") == std::string::npos ? "" : "must be a number from 0 on";
  });
  command->add_option("--repeat", flags->repeat, "How often each cell is tried")->check(CLI::Range(1, 100000));
  command->add_option("--jobs", flags->jobs, "Trials side by side (default: 6 a processor)")->check(CLI::Range(1, 256));
  command->add_option("--out", flags->out, "Folder that gets a folder for this run")->capture_default_str();
  command->add_option("--color", flags->colour)
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->capture_default_str();
  command->add_option("--sabotage", flags->sabotage, "")->check(CLI::IsMember({"act", "heal", "fail"}))->group("");
  command->add_option("--server", flags->servers,
                      "A program in place of the installed server: mysqld=PATH or redis-server=PATH; may be repeated");
  command->add_option("--target", flags->target,
                      "A server of your own in place of the lab's: mysql://user:password@host:port/database or "
                      "redis://:password@host:port/number; the password may be in HOLDFAST_TARGET_PASSWORD instead");
  command->add_option("--target-run", flags->target_run, "")->group("");  // a run's name, for tests
  command->add_flag("--controls", flags->controls,
                    "After each flaw that is caught, run the same plan without the flaw");
  command->add_flag("--json", flags->json, "Print the verdict as JSON");
  command->add_flag("-q,--quiet", flags->quiet, "No progress");
  command->callback([flags, seed, &exit_code] {
    flags->seed_given = seed->count() > 0;
    exit_code = run(*flags);
  });
}

}  // namespace holdfast
