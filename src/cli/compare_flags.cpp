#include "cli/compare_flags.hpp"

#include <filesystem>

#include "artifact/error.hpp"
#include "cli/command.hpp"
#include "cli/output.hpp"
#include "cli/shard_flags.hpp"

namespace holdfast {
std::vector<Scenario> compared_scenarios(const std::vector<std::string>& words) {
  std::vector<Scenario> out;
  for (const auto& word : words.empty() ? std::vector<std::string>{"quick"} : words) {
    for (auto& scenario : load_suite(find_suite(word))) out.push_back(std::move(scenario));
  }
  return out;
}

std::string compare_command(const CompareFlags& flags, std::uint64_t seed) {
  ShellCommand out(program_as_typed());
  out.literal("compare");
  const auto add = [&out](Literal flag, const std::string& value) {
    if (!value.empty()) out.flag(flag, value);
  };
  for (const auto& lock : flags.locks) out.word(lock);
  add("--envelope", flags.envelope);
  for (const auto& scenario : flags.scenarios) add("--scenario", scenario);
  for (const auto& setting : flags.settings) add("--set", setting);
  add("--lease", flags.lease);
  add("--property", flags.property);
  if (flags.most > 0) add("--most", std::to_string(flags.most));
  if (flags.step > 0) add("--step", std::to_string(flags.step));
  if (flags.as_written) out.literal("--as-written");
  if (flags.repeat > 0) add("--repeat", std::to_string(flags.repeat));
  if (flags.jobs > 0) add("--jobs", std::to_string(flags.jobs));
  add("--seed", std::to_string(seed));
  add("--baseline", flags.baseline);
  add("--shard", flags.shard);
  return out.append(server_words(flags)).text();
}

void add_compare_flags(CLI::App* command, CompareFlags& flags) {
  command->add_option("LOCK", flags.locks, "Locks, also joined by commas: upsert_lease,upsert_lease+found_rows")
      ->required();
  command->add_option("--scenario", flags.scenarios,
                      "Scenarios: a file, a folder, SUITE or SUITE/CELL; may be repeated (default: quick)");
  command->add_option("--set", flags.settings,
                      "Setting of the scenarios, KEY=VALUE,VALUE: each value makes a variant; may be repeated");
  command->add_option("--lease", flags.lease, "Length of a lease in ms, like --set lease_ms=");
  command->add_flag("--as-written", flags.as_written,
                    "Use the scenario's settings for single locks (per_lock) instead of the same load for all");
  command->add_option("--repeat", flags.repeat, "Trials of each (default: 1; with --envelope 3)")
      ->check(CLI::Range(1, 100000));
  command->add_option("--seed", flags.seed, "Seed of all random choices (default: random, printed)")
      ->check([](const std::string& text) {  // the parser would read -1 as a very large number
        return text.find_first_not_of("0123456789") == std::string::npos ? "" : "must be a number from 0 up";
      });
  command
      ->add_option("--jobs", flags.jobs,
                   "Trials in parallel (default: 1 per processor; 4 with --envelope; 1 with "
                   "--target)")
      ->check(CLI::Range(1, 256));
  auto* baseline = command->add_option("--baseline", flags.baseline,
                                       "Earlier compare.json, or a run's verdict.json: show which violations are "
                                       "new, fixed or flaky");
  auto* envelope = command->add_option("--envelope", flags.envelope,
                                       "FAULT or FAULT.KEY: find the largest amount of the fault under which a lock "
                                       "still holds");
  envelope->excludes(baseline);
  auto* shard = add_shard_flag(command, flags.shard);
  shard->excludes(envelope)->excludes(baseline);
  command->add_option("--property", flags.property, "With --envelope: judge by this property only")->needs(envelope);
  command->add_option("--most", flags.most, "With --envelope: the largest amount to try")
      ->needs(envelope)
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{86'400'000}));
  command->add_option("--step", flags.step, "With --envelope: the smallest difference between amounts")
      ->needs(envelope)
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{86'400'000}));
  add_server_flags(command, flags);
  command->add_option("--out", flags.out, "Folder in which to create this run's folder")->capture_default_str();
  command->add_option("--sabotage", flags.sabotage, "")
      ->check(CLI::IsMember({"act", "heal", "fail", "undo_early"}))
      ->group("");
  command->add_flag("--json", flags.json, "Print the result as JSON");
  command->add_flag("-q,--quiet", flags.quiet, "Do not show progress");
}

}  // namespace holdfast
