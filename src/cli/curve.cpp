// `holdfast curve LOCK --fault FAULT`: measures at which points of its life a lock breaks under a fault.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "artifact/error.hpp"
#include "artifact/json_text.hpp"
#include "artifact/run_directory.hpp"
#include "cli/command.hpp"
#include "cli/help_text.hpp"
#include "cli/lock_words.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/run_and_report.hpp"
#include "cli/terminal.hpp"
#include "cli/time_flag.hpp"
#include "compare/curve.hpp"
#include "compare/curve_tally.hpp"
#include "compare/envelope_search.hpp"
#include "reports/curve_page.hpp"
#include "reports/curve_text.hpp"
#include "suite/stored_result.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kLongest_ms = 600'000;

struct CurveFlags : RunFlags {
  std::string lock;
  std::string fault = "pause";
  std::string property;
  std::int64_t for_ms = 0;
  std::int64_t lease_ms = 0;
  int plans = 20;
};

ShellCommand curve_command(const CurveFlags& flags, std::uint64_t seed) {
  ShellCommand out(program_as_typed());
  out.literal("curve").word(flags.locks.front()).flag("--fault", flags.fault);
  if (flags.for_ms > 0) out.flag("--for", std::to_string(flags.for_ms));
  if (flags.lease_ms > 0) out.flag("--lease", std::to_string(flags.lease_ms));
  out.flag("--plans", std::to_string(flags.plans));
  if (!flags.property.empty()) out.flag("--property", flags.property);
  out.flag("--seed", std::to_string(seed));
  return out.append(server_words(flags));
}

CurveOrder curve_order(CurveFlags& flags) {
  check_aimable(flags.fault);
  envelope_properties(flags.property);  // throws if it is unknown
  if (!flags.resume.empty() && !flags.seed_given) {
    throw BadInput(
        "--resume: the seed is missing; remedy: repeat the whole command of the interrupted curve, which "
        "it printed");
  }
  flags.locks = {flags.lock};
  take_lock_words(flags.locks, flags);
  flags.paths = {kGenerated};
  CurveOrder out;
  out.options = suite_options(flags, ".");
  out.aim = {flags.locks.front(), flags.fault, flags.for_ms, flags.lease_ms};
  out.plans = flags.plans;
  out.property = flags.property;
  aimed_points(out.aim, {});  // throws for a setting that no scenario takes
  return out;
}

std::string folder_to_resume(const std::string& folder) {
  const RunDirectory run(folder);
  if (!run.has_folder("cells")) throw BadInput(folder + ": has no trials of a curve; remedy: leave out --resume");
  return folder;
}

void add_replays(CurveRun& found, const CurveFlags& flags, const std::string& folder) {
  for (auto& point : found.points) {
    if (point.violating_trial == 0) continue;
    ShellCommand out(program_as_typed());
    out.literal("replay").word(from_here(folder)).word(found.lock + "/" + point.scenario);
    out.flag("--trial", std::to_string(point.violating_trial));
    point.replay = out.append(server_words(flags)).text();
  }
}

void print_curve(const CurveRun& found, const CurveFlags& flags, const std::string& folder) {
  const std::string paths = "report: " + from_here(folder + "/curve.html") +
                            " · result: " + from_here(folder + "/curve.json") + " · rerun: " + found.command;
  if (flags.json) {
    print_json(to_json(found));
    tell("{}\n", paths);
  } else {
    say("{}\n{}\n", folded(curve_text(found), screen_columns()), paths);
  }
  if (!found.interrupted) return;
  ShellCommand resume = curve_command(flags, found.seed);
  tell("holdfast: interrupted; go on: {}\n", resume.flag("--resume", from_here(folder)).text());
}

int run_curve(CurveFlags flags) {
  CurveOrder order = curve_order(flags);
  const auto& interrupted = catch_interrupts();
  const auto place = open_place(flags);
  order.options.target = place.get();
  if (place && flags.jobs == 0) order.options.jobs = 1;  // a user's server runs one trial at a time
  order.options.resume = !flags.resume.empty();
  order.options.folder =
      order.options.resume ? folder_to_resume(lasting_path(flags.resume)) : new_run_folder(flags.out);
  const std::string& folder = order.options.folder;
  const RunDirectory run(folder);
  run.remove("curve.json");  // incomplete until it is written again
  ProgressLine line(flags.quiet);
  line.start(0, order.options.seed, order.options.jobs, folder);
  const std::string started = utc_now();
  const auto show = [&line](const SuiteProgress& p) {
    line.show(p.done, p.trials, p.cell->lock + "/" + p.cell->scenario);
  };
  CurveRun found = measure_curve(order, show, interrupted);
  line.end();
  close_place(place.get(), found.server);
  found.version = HOLDFAST_VERSION;
  found.started_utc = started;
  found.command = curve_command(flags, order.options.seed).text();
  found.exit_code = exit_code_of(found);
  add_replays(found, flags, folder);
  run.write("curve.html", curve_page(found));
  run.write("curve.json", text_of_json(to_json(found), 1) + "\n");
  print_curve(found, flags, folder);
  return found.exit_code;
}

void add_curve_flags(CLI::App* command, CurveFlags& flags) {
  command
      ->add_option("LOCK", flags.lock,
                   "A lock's name, a file of statements (my_lock.sql), the lock.json (or its folder) of a lock in "
                   "another language, or LIBRARY@VERSION")
      ->required();
  command
      ->add_option("--fault", flags.fault,
                   "Fault that is moved along the lock's life: " + fmt::format("{}", fmt::join(aimable_faults(), ", ")))
      ->capture_default_str();
  command->add_option("--for", flags.for_ms, "Duration of the fault in ms (default: a fifth of the lease)")
      ->check(CLI::Range(std::int64_t{1}, kLongest_ms));
  command->add_option("--lease", flags.lease_ms, "Length of a lease in ms (default: 2000, and the longest wait)")
      ->check(CLI::Range(std::int64_t{100}, kLongest_ms));
  command->add_option("--plans", flags.plans, "Trials at each point")
      ->check(CLI::Range(1, 10'000))
      ->capture_default_str();
  command->add_option("--property", flags.property, "Judge by this property only (default: all safety properties)");
  command->add_option("--resume", flags.resume,
                      "Folder of an interrupted curve: run the rest; needs the same flags and --seed");
  command->add_option("--jobs", flags.jobs, "Trials in parallel (default: 2 per processor; 6 in real time)")
      ->check(CLI::Range(1, 256));
  command->add_option("--out", flags.out, "Folder in which to create this run's folder")->capture_default_str();
  add_server_flags(command, flags);
  add_time_flag(command, flags.time);
  command->add_flag("--json", flags.json, "Print the result as JSON");
  command->add_flag("-q,--quiet", flags.quiet, "Do not show progress");
}

}  // namespace

void add_curve(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("curve", "Measure at which moments of its life a lock breaks under a fault");
  give_examples(command, {"holdfast curve fenced_lease --fault pause",
                          "holdfast curve my_lock.sql --fault kill --plans 50", "holdfast curve ./my_lock --for 3000"});
  auto flags = std::make_shared<CurveFlags>();
  add_curve_flags(command, *flags);
  auto* seed = command->add_option("--seed", flags->seed, "Seed of all random choices (default: random, printed)");
  seed->check(refuse_negative);
  command->callback([flags, seed, &exit_code] {
    flags->seed_given = seed->count() > 0;
    exit_code = run_curve(*flags);
  });
}

}  // namespace holdfast
