#include "cli/compare_flags.hpp"

#include <unistd.h>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <filesystem>

#include "artifact/error.hpp"
#include "cli/output.hpp"

namespace holdfast {
namespace {

constexpr const char* kScenarios = "scenarios";
constexpr auto kBeat = std::chrono::seconds(15);
std::atomic<bool> compare_interrupted{false};

std::string scenario_path(const std::string& word) {
  for (const std::string& path : {word, kScenarios + ("/" + word) + ".json", kScenarios + ("/" + word)}) {
    if (std::filesystem::exists(path)) return path;
  }
  throw BadInput("--scenario " + word + ": no such file, and no SUITE or SUITE/CELL in the folder '" + kScenarios +
                 "'; remedy: a path, or quick/pause where that folder is");
}

}  // namespace

std::vector<Scenario> compared_scenarios(const std::vector<std::string>& words) {
  std::vector<Scenario> out;
  for (const auto& word : words.empty() ? std::vector<std::string>{"quick"} : words) {
    for (auto& scenario : load_suite(scenario_path(word))) out.push_back(std::move(scenario));
  }
  return out;
}

std::string compare_command(const CompareFlags& flags, std::uint64_t seed) {
  std::string out = program_as_typed() + " compare";
  const auto add = [&out](const char* flag, const std::string& value) {
    if (!value.empty()) out += std::string(" ") + flag + " " + shell_word(value);
  };
  for (const auto& lock : flags.locks) out += " " + shell_word(lock);
  add("--envelope", flags.envelope);
  for (const auto& scenario : flags.scenarios) add("--scenario", scenario);
  for (const auto& setting : flags.settings) add("--set", setting);
  add("--lease", flags.lease);
  add("--property", flags.property);
  if (flags.most > 0) add("--most", std::to_string(flags.most));
  if (flags.step > 0) add("--step", std::to_string(flags.step));
  if (flags.as_written) out += " --as-written";
  if (flags.repeat > 0) add("--repeat", std::to_string(flags.repeat));
  if (flags.jobs > 0) add("--jobs", std::to_string(flags.jobs));
  add("--seed", std::to_string(seed));
  add("--baseline", flags.baseline);
  return out;
}

std::string compare_started_utc() {
  char text[32];
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  ::gmtime_r(&now, &utc);
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}

std::string shown_path(const std::string& path) {
  std::error_code error;
  const auto relative = std::filesystem::relative(path, error);
  return error || relative.empty() || relative.string().rfind("../..", 0) == 0 ? path : relative.string();
}

const std::atomic<bool>& catch_interrupts_of_compare() {
  struct sigaction action {};
  action.sa_handler = [](int) { compare_interrupted.store(true); };
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) ::sigaction(number, &action, nullptr);
  ::signal(SIGPIPE, SIG_IGN);
  return compare_interrupted;
}

ComparingLine::ComparingLine(bool quiet)
    : quiet_(quiet), terminal_(::isatty(STDERR_FILENO) != 0), begin_(std::chrono::steady_clock::now()), last_(begin_) {}

void ComparingLine::start(std::size_t trials, std::uint64_t seed, int jobs, const std::string& folder) {
  if (quiet_) return;
  const std::string count = trials == 0 ? "as many trials as it takes" : std::to_string(trials) + " trials";
  std::fprintf(stderr, "seed %llu · %s, %d side by side · %s\n", static_cast<unsigned long long>(seed), count.c_str(),
               jobs, shown_path(folder).c_str());
}

void ComparingLine::show(const CompareProgress& progress) {
  const auto now = std::chrono::steady_clock::now();
  if (quiet_ || (!terminal_ && now - last_ < kBeat)) return;
  last_ = now;
  shown_ = true;
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(now - begin_).count();
  std::fprintf(stderr, "%s%d of %d trials, %lld s; last: %s%s", terminal_ ? "\r\033[K" : "", progress.done,
               progress.trials, static_cast<long long>(seconds), progress.last.c_str(), terminal_ ? "" : "\n");
  std::fflush(stderr);
}

void ComparingLine::end() {
  if (shown_ && terminal_) std::fprintf(stderr, "\r\033[K");
}

void add_compare_flags(CLI::App* command, CompareFlags& flags) {
  command->add_option("LOCK", flags.locks, "Locks, also as upsert_lease,upsert_lease+found_rows")->required();
  command->add_option("--scenario", flags.scenarios,
                      "A file, a folder, or SUITE or SUITE/CELL; may be repeated (default: quick)");
  command->add_option("--set", flags.settings,
                      "A setting of the scenarios, KEY=VALUE,VALUE: each value is a variant; may be repeated");
  command->add_option("--lease", flags.lease, "Length of a lease, ms: --set lease_ms=");
  command->add_flag("--as-written", flags.as_written,
                    "Each lock with what the scenario has for it alone (per_lock), not the same load for all");
  command->add_option("--repeat", flags.repeat, "How often each is tried (default: 1; with --envelope 3)")
      ->check(CLI::Range(1, 100000));
  command->add_option("--seed", flags.seed, "Seed of all random choices (default: a random one, printed)")
      ->check([](const std::string& text) {  // the parser would take -1 for a very large number
        return text.find_first_not_of("0123456789") == std::string::npos ? "" : "must be a number from 0 on";
      });
  command->add_option("--jobs", flags.jobs, "Trials side by side (default: one a processor)")
      ->check(CLI::Range(1, 256));
  auto* baseline = command->add_option("--baseline", flags.baseline,
                                       "An earlier compare.json, or a run's verdict.json: what is new, fixed, flaky");
  auto* envelope = command->add_option("--envelope", flags.envelope,
                                       "FAULT or FAULT.KEY: the largest amount of it under which a lock still holds");
  envelope->excludes(baseline);
  command->add_option("--property", flags.property, "With --envelope: judge by this property alone")->needs(envelope);
  command->add_option("--most", flags.most, "With --envelope: the largest amount to be tried")
      ->needs(envelope)
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{86'400'000}));
  command->add_option("--step", flags.step, "With --envelope: how finely to tell amounts apart")
      ->needs(envelope)
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{86'400'000}));
  command->add_option("--out", flags.out, "Folder that gets a folder for this run")->capture_default_str();
  command->add_option("--sabotage", flags.sabotage, "")->check(CLI::IsMember({"act", "heal", "fail"}))->group("");
  command->add_flag("--json", flags.json, "Print the result as JSON");
  command->add_flag("-q,--quiet", flags.quiet, "No progress");
}

}  // namespace holdfast
