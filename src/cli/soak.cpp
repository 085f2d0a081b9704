// `holdfast soak SUITE --for 8h`: runs random trials within the bounds of scenarios for hours; keeps and shrinks new
// finds.
#include "soak/soak.hpp"
#include "cli/help_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <thread>

#include "artifact/json_text.hpp"
#include "artifact/run_directory.hpp"
#include "cli/command.hpp"
#include "cli/output.hpp"
#include "cli/run_flags.hpp"
#include "cli/terminal.hpp"
#include "reports/durations.hpp"
#include "suite/stored_result.hpp"
#include "suite/suite.hpp"

namespace holdfast {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::int64_t kNsPerSecond = 1'000'000'000;

struct SoakFlags : ServerFlags {
  std::vector<std::string> suites;
  OnlyCells only;
  std::string length = "8h";
  std::string every = "1h";
  std::string out = "runs";
  std::string sabotage;
  std::uint64_t seed = 0;
  bool seed_given = false;
  int jobs = 0;
  int most_finds = 100;
  bool json = false;
  bool quiet = false;
};

std::int64_t bytes_below(const std::string& folder) {
  std::int64_t out = 0;
  std::error_code gone;
  for (fs::recursive_directory_iterator at(folder, gone), end; !gone && at != end; at.increment(gone)) {
    std::error_code none;
    const auto size = at->is_regular_file(none) ? at->file_size(none) : 0;
    if (!none) out += static_cast<std::int64_t>(size);
  }
  return out;
}

// Memory of this process; its trials' memory is freed with them.
std::int64_t memory_bytes() {
  std::ifstream in("/proc/self/statm");
  std::int64_t pages = 0;
  std::int64_t resident = 0;
  in >> pages >> resident;
  return resident * ::sysconf(_SC_PAGESIZE);
}

std::string mib(std::int64_t bytes) {
  return fmt::format("{:.1f} MiB", static_cast<double>(bytes) / (1024.0 * 1024.0));
}

// Output during the soak, also stored in soak.json.
class SoakReport {
 public:
  SoakReport(const SoakFlags& flags, const SoakOrder& order, ShellCommand command)
      : order_(order),
        command_(std::move(command)),
        every_(parse_budget(flags.every, "--every")),
        quiet_(flags.quiet),
        next_(every_) {}

  void after_trial(const SoakState& state) {
    for (; told_ < state.finds.size(); ++told_) tell_find(state.finds[told_], state);
    for (const auto& find : state.finds) {
      if (find.again > 0 && shrunk_.insert(find.number).second) tell_shrunk(find, state);
    }
    if (Clock::now() - begin_ < next_) return;
    while (Clock::now() - begin_ >= next_) next_ += every_;
    if (!quiet_) tell("{}\n", line(state));
    write(state);
  }

  void write(const SoakState& state) const {
    const SoakResult out{order_.seed, seconds(), command_.text(), state};
    RunDirectory(order_.folder).write("soak.json", text_of_json(to_json(out), 1) + "\n");
  }

  std::string line(const SoakState& state) const {
    return fmt::format("{} · {} trials, {} judged · faults acted {} of {} · {} ({} being shrunk) · memory {} · disk {}",
                       length_text(static_cast<std::int64_t>(seconds()) * kNsPerSecond), state.trials, state.judged,
                       state.faults_acted, state.faults_planned,
                       plural(static_cast<std::int64_t>(state.finds.size()), "find", "finds"), state.shrinking,
                       mib(memory_bytes()), mib(bytes_below(order_.folder)));
  }

 private:
  double seconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

  // A reader of the message may end the program immediately; the find is on the disk by then.
  void tell_find(const SoakFind& find, const SoakState& state) const {
    write(state);
    if (!quiet_) {
      tell("find {}: {} {}: violated:{} · {} · {}/{}\n", find.number, find.lock, find.property, find.kind,
           find.found_as, from_here(order_.folder), find.file);
    }
  }
  void tell_shrunk(const SoakFind& find, const SoakState& state) const {
    write(state);
    if (!quiet_) {
      tell("find {}: {} · reproduced in {} of {} trials\n", find.number,
           find.shrunk_to.empty() ? "not fully shrunk" : "shrunk to " + find.shrunk_to, find.shown, find.again);
    }
  }

  const SoakOrder& order_;
  ShellCommand command_;
  Clock::time_point begin_ = Clock::now();
  std::chrono::seconds every_;
  bool quiet_;
  Clock::duration next_;
  std::size_t told_ = 0;
  std::set<int> shrunk_;
};

ShellCommand soak_command(const SoakFlags& flags, std::uint64_t seed) {
  ShellCommand out(program_as_typed());
  out.literal("soak");
  for (const auto& suite : flags.suites) out.word(suite);
  for (const auto& only : flags.only.patterns) out.literal("--only").word(only);
  out.literal("--for").word(flags.length).literal("--seed").word(std::to_string(seed));
  out.append(server_words(flags));
  return out;
}

SoakOrder order_of(const SoakFlags& flags) {
  SoakOrder order;
  for (const auto& suite : flags.suites) {
    for (auto& scenario : load_suite(find_suite(suite))) order.scenarios.push_back(std::move(scenario));
  }
  order.only = flags.only.patterns;
  order.seed = flags.seed_given ? flags.seed : std::random_device{}();
  order.jobs = flags.jobs > 0 ? flags.jobs : static_cast<int>(4 * std::max(1U, std::thread::hardware_concurrency()));
  order.sabotage = flags.sabotage;
  order.servers = flags.servers;
  order.most_finds = flags.most_finds;
  return order;
}

// Runs before the folder is created.
void check_cells(const SoakOrder& order, const OnlyCells& only) {
  SuiteOptions options;
  options.scenarios = order.scenarios;
  options.only = only.patterns;
  options.only_from = only.places;
  plan_cells(options);
}

std::string outcome_text(const SoakState& state) {
  if (!state.finds.empty())
    return fmt::format("FOUND  {}", plural(static_cast<std::int64_t>(state.finds.size()), "find", "finds"));
  if (state.harness_errors > 0)
    return fmt::format("ERROR  {}", plural(state.harness_errors, "trial failed", "trials failed"));
  if (state.judged == 0) return "NOTHING JUDGED";
  return "NOTHING FOUND";
}

int soak(const SoakFlags& flags) {
  const auto length = parse_budget(flags.length, "--for");
  add_named_adapters(flags);
  check_servers(flags);
  SoakOrder order = order_of(flags);
  order.until = Clock::now() + length;
  check_cells(order, flags.only);
  const auto& interrupted = catch_interrupts();
  order.folder = new_run_folder(flags.out);
  const ShellCommand command = soak_command(flags, order.seed);
  SoakReport report(flags, order, command);
  if (!flags.quiet) {
    tell("soak for {}, seed {}, {} in parallel, in {}\n", flags.length, order.seed, order.jobs,
         from_here(order.folder));
  }
  const SoakState state = run_soak(
      order, [&report](const SoakState& s) { report.after_trial(s); }, interrupted);
  report.write(state);
  if (flags.json) {
    print_file(RunDirectory(order.folder).read("soak.json"));
  } else {
    say("{} · {}\n", outcome_text(state), report.line(state));
    for (const auto& find : state.finds) {
      say("  {}: {} {}: violated:{}{} · {}\n    run again: {} run {}/{} --seed {}\n", find.number, find.lock,
          find.property, find.kind, find.also.empty() ? "" : fmt::format(" (and {})", fmt::join(find.also, ", ")),
          find.shrunk_to.empty() ? find.found_as : find.shrunk_to, program_as_typed(), from_here(order.folder),
          find.file, find.seed);
    }
    for (const auto& error : state.errors) say("  failed: {}\n", error);
    for (const auto& note : state.notes) say("  {}\n", note);
    say("{}/soak.json · again: {}\n", from_here(order.folder), command.text());
  }
  return exit_code_of(state);
}

}  // namespace

void add_soak(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand(
      "soak", "Run random trials within the bounds of scenarios for hours; keep and shrink new finds");
  give_examples(command, {"holdfast soak quick --for 8h"});
  auto flags = std::make_shared<SoakFlags>();
  command->add_option("suite", flags->suites, "Folders of scenarios, or scenario files")->required();
  command->add_option("--for", flags->length, "Duration: 90s, 30m, 8h")->type_name("TIME")->capture_default_str();
  command->add_option("--every", flags->every, "Time between two lines of progress")->capture_default_str();
  add_only_flag(command, flags->only, "Run only these cells, LOCK/SCENARIO");
  command->add_option("--seed", flags->seed, "Seed of all random choices")->check(refuse_negative);
  command->add_option("--jobs", flags->jobs, "Trials in parallel (default: 4 per processor)")
      ->check(CLI::Range(1, 256));
  command->add_option("--keep", flags->most_finds, "Maximum number of finds to keep")
      ->check(CLI::Range(1, 10'000))
      ->capture_default_str();
  command->add_option("--out", flags->out, "Folder in which to create this run's folder")->capture_default_str();
  command->add_option("--server", flags->servers, "Use this program as the server, NAME=PATH");
  add_adapter_flags(command, *flags);
  command->add_option("--sabotage", flags->sabotage, "For tests of holdfast itself")->group("");
  command->add_flag("--json", flags->json, "Print the result as JSON");
  command->add_flag("-q,--quiet", flags->quiet, "Do not show progress");
  command->callback([command, flags, &exit_code] {
    flags->seed_given = command->count("--seed") > 0;
    exit_code = soak(*flags);
  });
}

}  // namespace holdfast
