#include "cli/run_flags.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <set>
#include <sstream>

#include "adapter/manifest.hpp"
#include "artifact/error.hpp"
#include "cli/command.hpp"
#include "cli/output.hpp"
#include "cli/terminal.hpp"
#include "hosts/host_list.hpp"
#include "lock/added_locks.hpp"
#include "servers/sandbox.hpp"
#include "servers/server_choice.hpp"
#include "servers/target.hpp"

namespace holdfast {
namespace {

constexpr std::uint64_t kMostSeeds = 100'000;

[[noreturn]] void refuse_seeds(const std::string& text, const std::string& why) {
  throw BadInput("--seeds " + text + ": " + why + "; remedy: --seeds 1..5, or --seeds 3,8,13");
}

std::uint64_t seed_in(const std::string& text, const std::string& word) {
  std::uint64_t out = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), out);
  if (error != std::errc() || end != word.data() + word.size()) {
    refuse_seeds(text, "'" + word + "' is not a number from 0 up");
  }
  return out;
}

void add_suites(const RunFlags& flags, ShellCommand& command) {
  command.literal("run");
  for (const auto& path : flags.paths) command.word(lasting_path(path));
  for (const auto& lock : flags.locks) command.flag("--lock", lock);
}

void add_libraries(const RunFlags& flags, ShellCommand& command) {
  command.literal("libraries").literal("run");
  for (const auto& name : *flags.libraries) command.word(name);
  if (flags.paths == std::vector<std::string>{kLibrarySuite}) return;
  for (const auto& path : flags.paths) command.flag("--suite", lasting_path(path));
}

// Flags that `run --resume` accepts and `libraries run` does not.
bool is_of_libraries(const RunFlags& flags) {
  return flags.libraries && flags.against.baseline.empty() && flags.servers.empty() && flags.lock_files.empty() &&
         flags.adapter_commands.empty() && flags.target.empty() && flags.hosts.empty();
}

}  // namespace

void add_lock_file_flag(CLI::App* command, ServerFlags& flags) {
  command
      ->add_option("--lock-file", flags.lock_files,
                   "Lock written as one annotated file of statements, my_lock.sql (docs/lock_file.md); may be "
                   "repeated")
      ->type_name("FILE");
}

void add_adapter_flags(CLI::App* command, ServerFlags& flags) {
  command
      ->add_option("--adapter", flags.adapters,
                   "Lock in another language: its lock.json (docs/adapters.md); may be repeated")
      ->type_name("FILE");
  command
      ->add_option("--adapter-command", flags.adapter_commands,
                   "NAME=COMMAND, or NAME@SERVER=COMMAND: a lock in another language without a lock.json, for a "
                   "first try")
      ->type_name("NAME=COMMAND");
  add_lock_file_flag(command, flags);
}

void add_server_flags(CLI::App* command, ServerFlags& flags) {
  command
      ->add_option("--server", flags.servers,
                   "Program to use instead of the installed server: " + server_choices() + "; may be repeated")
      ->type_name("NAME=PATH");
  command
      ->add_option("--target", flags.target,
                   "Your own server to use instead of the lab's: " + target_forms() +
                       "; add ?tls=required&ca=FILE for TLS; the password is read from HOLDFAST_TARGET_PASSWORD")
      ->type_name("URL");
  add_adapter_flags(command, flags);
  command->add_option("--target-run", flags.target_run, "")->group("");  // a run's name, for tests
}

void add_hosts_flag(CLI::App* command, ServerFlags& flags) {
  command
      ->add_option("--hosts", flags.hosts,
                   "With --target: file that names other hosts on which the clients' programs run (docs/hosts.md)")
      ->type_name("FILE");
}

void check_servers(const ServerFlags& flags) {
  if (!flags.hosts.empty() && flags.target.empty()) {
    throw BadInput("--hosts: other hosts cannot reach a server in a lab; remedy: use your own server, --target URL");
  }
  if (flags.time == TimeMode::skipped && !flags.target.empty()) {
    throw BadInput("--time skipped: your own server runs in real time; remedy: leave out --time or --target");
  }
  for (const auto& server : flags.servers) choose_server(server);  // throws if it is invalid
  if (!flags.hosts.empty()) load_hosts(flags.hosts);               // the same
}

TimeMode time_of(const ServerFlags& flags) {
  return flags.time.value_or(flags.target.empty() ? TimeMode::skipped : TimeMode::real);
}

std::vector<std::string> add_named_adapters(const ServerFlags& flags) {
  auto named = add_locks({flags.adapters, flags.adapter_commands, flags.lock_files});
  read_added_lock_texts();
  if (const std::string shipped = shipped_folder("adapters"); !shipped.empty()) add_adapters_in(shipped);
  return named;
}

std::unique_ptr<Sandbox> open_place(const ServerFlags& flags) {
  if (flags.target.empty()) return nullptr;
  const Target target = parse_target(flags.target);
  if (!target.prefix.empty()) throw BadInput("--target: nothing may follow the database");
  if (!flags.target_run.empty() && !is_run_name(flags.target_run)) throw BadInput("--target-run: not a run's name");
  auto place = open_sandbox(target, flags.target_run.empty() ? new_run_name() : flags.target_run);
  const Sweep found = swept(*place);
  for (const auto& line : found.done) tell("holdfast: {}: {}\n", target.place(), line);
  if (!found.foreign.empty()) tell("holdfast: {}: {}\n", target.place(), told(found.foreign));
  return place;
}

void close_place(Sandbox* place, std::string& server) {
  if (place == nullptr) return;
  for (const auto& left : place->close()) tell("holdfast: {}\n", left);
  if (!server.empty()) server += " at " + place->target().place();
}

ShellCommand server_words(const ServerFlags& flags) {
  ShellCommand out;
  if (flags.time) out.flag("--time", to_text(*flags.time));
  for (const auto& server : flags.servers) out.flag("--server", server);
  for (const auto& adapter : flags.adapters) out.flag("--adapter", adapter);
  for (const auto& command : flags.adapter_commands) out.flag("--adapter-command", command);
  for (const auto& file : flags.lock_files) out.flag("--lock-file", file);
  if (!flags.target.empty()) out.flag("--target", parse_target(flags.target).text());
  if (!flags.hosts.empty()) out.flag("--hosts", flags.hosts);
  return out;
}

std::vector<std::uint64_t> parse_seeds(const std::string& text) {
  std::vector<std::uint64_t> out;
  if (const auto dots = text.find(".."); dots != std::string::npos) {
    const std::uint64_t first = seed_in(text, text.substr(0, dots));
    const std::uint64_t last = seed_in(text, text.substr(dots + 2));
    if (last < first) refuse_seeds(text, "the last is smaller than the first");
    if (last - first >= kMostSeeds) refuse_seeds(text, "more than 100000");
    for (std::uint64_t i = 0; i <= last - first; ++i) out.push_back(first + i);
    return out;
  }
  std::set<std::uint64_t> known;
  std::string word;
  std::istringstream in(text + ",");  // so that "1," has an empty second word
  while (std::getline(in, word, ',')) {
    out.push_back(seed_in(text, word));
    if (!known.insert(out.back()).second) refuse_seeds(text, "duplicate " + word);
  }
  if (out.size() > kMostSeeds) refuse_seeds(text, "more than 100000");
  return out;
}

StopRule take_stop_rule(RunFlags& flags) {
  StopRule out;
  if (flags.confidence.empty() != flags.rate.empty()) {
    throw BadInput(
        "--confidence and --rate need each other; remedy: for example --confidence 99% --rate 5%, which "
        "makes 90 trials");
  }
  if (!flags.confidence.empty()) {
    out.confidence = flags.confidence;
    out.rate = flags.rate;
    out.clean = clean_trials(parse_share(flags.confidence, "--confidence"), parse_share(flags.rate, "--rate"));
    flags.repeat = out.clean;
  }
  if (flags.until_caught && flags.repeat == 1) {
    throw BadInput(
        "--until-caught: the maximum number of trials is missing; remedy: add --repeat N, or --confidence "
        "99% --rate 5%");
  }
  out.until_decided = flags.until_caught || out.clean > 0;
  if (out.until_decided && !flags.seeds.empty()) {
    throw BadInput("--seeds: runs every seed, but --until-caught and --confidence leave trials out");
  }
  return out;
}

std::string refuse_negative(const std::string& text) {
  return text.find_first_not_of("0123456789") == std::string::npos ? "" : "must be a number from 0 up";
}

std::chrono::seconds parse_budget(const std::string& text, const std::string& flag) {
  int number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  const std::string unit(rest, end);
  const int seconds = unit == "s" ? 1 : unit == "m" ? 60 : unit == "h" ? 3600 : 0;
  if (error != std::errc() || seconds == 0 || number < 1 || number > 100'000) {
    throw BadInput(flag + " " + text + ": not a time; remedy: " + flag + " 90s, 10m or 2h");
  }
  return std::chrono::seconds(std::int64_t{number} * seconds);
}

std::string lasting_path(const std::string& path) {
  std::filesystem::path walked;
  for (const auto& part : std::filesystem::path(path)) {
    walked /= part;
    if (part == "latest" && std::filesystem::is_symlink(walked)) {
      return from_here(std::filesystem::weakly_canonical(path).string());
    }
  }
  return path;
}

CLI::Option* add_strict_flag(CLI::App* command, bool& strict) {
  return command->add_flag("--strict", strict, "Also count violations that no lease can prevent");
}

CLI::Option* add_default_lease_flag(CLI::App* command, bool& default_lease) {
  return command->add_flag("--default-lease", default_lease,
                           "Use the library's default lease (default_lease_ms of lock.json) instead of a short one");
}

std::int64_t tried_lease_ms(const RunFlags& flags, const std::string& lock) {
  if (!flags.default_lease) return 0;
  const auto& manifest = type_of_ref(lock).manifest;
  if (manifest != nullptr && manifest->default_lease_ms > 0) return manifest->default_lease_ms;
  if (flags.libraries) return 0;
  throw BadInput("--default-lease: " + lock +
                 " names no default lease; remedy: set default_lease_ms in its lock.json to the library's default");
}

std::string rerun_command(const RunFlags& flags, std::uint64_t seed) {
  ShellCommand command(program_as_typed());
  const bool of_libraries = is_of_libraries(flags);
  of_libraries ? add_libraries(flags, command) : add_suites(flags, command);
  for (const auto& cell : flags.only.patterns) command.flag("--only", cell);
  flags.seeds.empty() ? command.flag("--seed", std::to_string(seed)) : command.flag("--seeds", flags.seeds);
  if (flags.repeat > 1 && flags.confidence.empty()) command.flag("--repeat", std::to_string(flags.repeat));
  if (flags.until_caught) command.literal("--until-caught");
  if (!flags.confidence.empty()) command.flag("--confidence", flags.confidence).flag("--rate", flags.rate);
  if (flags.controls) command.literal("--controls");
  if (flags.strict) command.literal("--strict");
  if (flags.default_lease) command.literal("--default-lease");
  if (!flags.shard.empty()) command.flag("--shard", flags.shard);
  if (!flags.against.baseline.empty()) command.flag("--baseline", lasting_path(flags.against.baseline));
  if (!flags.first_trial.empty()) command.flag("--first-trial", lasting_path(flags.first_trial));
  if (!flags.durations.empty()) command.flag("--durations", lasting_path(flags.durations));
  // Libraries add their manifests.
  return of_libraries ? command.text() : command.append(server_words(flags)).text();
}

std::string resume_command(const RunFlags& flags, const std::string& folder) {
  ShellCommand command(program_as_typed());
  if (is_of_libraries(flags)) return command.literal("libraries").literal("run").flag("--resume", folder).text();
  return command.literal("run").flag("--resume", folder).append(server_words(flags)).text();
}

}  // namespace holdfast
