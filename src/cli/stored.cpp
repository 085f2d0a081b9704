#include "cli/stored.hpp"

#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "artifact/error.hpp"
#include "artifact/json_text.hpp"
#include "artifact/run_directory.hpp"
#include "artifact/visible.hpp"
#include "cli/output.hpp"
#include "library/library.hpp"
#include "lock/added_locks.hpp"
#include "reports/rerun.hpp"
#include "servers/server_choice.hpp"
#include "servers/target.hpp"
#include "suite/trial_job.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kMostShown = 200;

[[noreturn]] void refuse_folder(const std::string& file, const std::string& said, const std::string& wanted) {
  throw BadInput(file + ": names the folder '" + fitted(said, kMostShown) + "', where only " + wanted + " can be");
}

void check_folders(const std::string& file, const Cell& cell, const TrialResult& trial) {
  const std::string wanted = trial_folder(cell.lock, cell.scenario, trial.number);
  if (trial.folder != wanted) refuse_folder(file, trial.folder, wanted);
  if (trial.control && trial.control->folder != wanted + "/control") {
    refuse_folder(file, trial.control->folder, wanted + "/control");
  }
}

// Reads run.json of a begun run. If it is unreadable, resuming reports the error.
RunManifest begun_run(const RunDirectory& run) {
  try {
    return read_json_text(run.read("run.json"), run.path_of("run.json"), from_json<RunManifest>);
  } catch (const BadInput&) {
    return {};
  }
}

std::set<std::string> servers_in(const ServerFlags& flags, const std::string& directory) {
  std::set<std::string> out;
  for (const auto& server : flags.servers) out.insert(absolute_server(server, directory));
  return out;
}

std::string flag_word(Literal flag, const std::string& value) {
  return ShellCommand().flag(flag, value).text();
}

[[noreturn]] void refuse(const std::string& folder, const std::string& flag, const char* does) {
  throw BadInput(folder + "/run.json: the run was started with " + flag +
                 "; holdfast does not use a program named by "
                 "a folder " +
                 does + " unless the command line names it too; remedy: if you trust it, add " + flag);
}

constexpr const char* kOrderFile = "run.json";

// Adapters of all locks named by the scenarios or their controls.
std::vector<StoredAdapter> adapters_of(const SuiteOptions& options) {
  std::map<std::string, std::string> all;
  const auto add = [&all](const std::string& ref) {
    const std::string lock = parse_lock_ref(ref).lock;
    if (const std::string says = stored_lock(lock); !says.empty()) all[lock] = says;
  };
  for (const auto& scenario : options.scenarios) {
    for (const auto& lock : scenario.locks) {
      add(lock);
      const PairedControl* control = scenario.control_of(lock);
      if (control != nullptr && !control->lock.empty()) add(control->lock);
    }
  }
  std::vector<StoredAdapter> out;
  for (const auto& [lock, says] : all) out.push_back({lock, says});
  return out;
}

std::string wrong_seeds(const RunManifest& manifest) {
  if (manifest.flags.seeds.empty()) return "";
  try {
    parse_seeds(manifest.flags.seeds);
  } catch (const BadInput& wrong) {
    return wrong.what();
  }
  return "";
}

// They become words of a command that is shown.
std::string wrong_libraries(const RunManifest& manifest) {
  for (const auto& name : manifest.flags.libraries.value_or(std::vector<std::string>())) parse_library_ref(name);
  return "";
}

std::string wrong_stop(const RunManifest& manifest) {
  try {
    RunFlags flags = manifest.flags;
    take_stop_rule(flags);
  } catch (const BadInput& wrong) {
    return wrong.what();
  }
  return "";
}

// Puts fields into an object of their own, written if `wanted` returns true.
JsonField<RunManifest> group(const char* name, bool (*wanted)(const RunManifest&),
                             std::vector<JsonField<RunManifest>> fields) {
  JsonField<RunManifest> out;
  out.name = name;
  out.read = [=](StrictReader& in, RunManifest& manifest) {
    if (!in.has(name)) return;
    StrictReader own(in.at(name));
    read_keys(fields, own, manifest);
    own.finish();
  };
  out.value = [=](const RunManifest& manifest) {
    nlohmann::json json;
    if (wanted(manifest)) write_keys(fields, manifest, json);
    return json;
  };
  return out;
}

bool has_stop_rule(const RunManifest& manifest) {
  return manifest.flags.until_caught || !manifest.flags.confidence.empty();
}

bool is_of_shard(const RunManifest& manifest) {
  return manifest.dealing.has_value();
}

}  // namespace

InputFile verdict_file(const std::string& folder) {
  namespace fs = std::filesystem;
  std::error_code none;
  const std::string remedy = "; remedy: give a run's folder, or start a run with holdfast run";
  if (!fs::is_directory(folder, none)) throw BadInput(folder + ": no such folder" + remedy);
  const RunDirectory run(folder);
  if (run.has("verdict.json")) return run.file("verdict.json");
  const std::string real = fs::canonical(folder, none).string();
  if (run.has("compare.json")) {
    throw BadInput(folder + " (" + real + "): is a comparison's folder; its page is compare.html" + remedy);
  }
  if (run.has("envelope.json")) {
    throw BadInput(folder + " (" + real + "): is an envelope's folder; its page is envelope.html" + remedy);
  }
  if (run.has("curve.json")) {
    throw BadInput(folder + " (" + real + "): is a curve's folder; its page is curve.html" + remedy);
  }
  if (run.has("run.json")) {
    const RunManifest begun = begun_run(run);
    if (!begun.replay_of.empty()) {
      throw BadInput(folder + " (" + real + "): the replay is not complete; remedy: run holdfast replay again");
    }
    throw BadInput(folder + " (" + real + "): the run did not finish; remedy: holdfast " +
                   (begun.flags.libraries ? "libraries run" : "run") + " --resume " + folder);
  }
  throw BadInput(folder + " (" + real + "): has no verdict.json, so it is not a run's folder" + remedy);
}

RunVerdict stored_run(const std::string& folder) {
  const InputFile file = verdict_file(folder);
  RunVerdict run = read_json_file(file, from_json<RunVerdict>);
  run.command = stored_command(run.command, program_as_typed());
  for (const auto& cell : run.cells) {
    for (const auto& trial : cell.trials) check_folders(file.path(), cell, trial);
  }
  return run;
}

std::string absolute_server(const std::string& name_and_path, const std::string& directory) {
  const auto equals = name_and_path.find('=');
  if (equals == std::string::npos || equals + 1 == name_and_path.size()) return name_and_path;
  const auto path = std::filesystem::path(directory) / name_and_path.substr(equals + 1);
  const std::string word = name_and_path.substr(0, equals);
  const std::string name = program_name(word);
  return (name.empty() ? word : name) + "=" + path.lexically_normal().string();
}

void check_servers_of(const std::string& folder, const ServerFlags& stored, const std::string& directory,
                      const ServerFlags& given) {
  const auto then = servers_in(stored, directory);
  const auto now = servers_in(given, std::filesystem::current_path().string());
  for (const auto& server : then) {
    if (!now.contains(server)) refuse(folder, flag_word("--server", server), "started");
  }
  for (const auto& server : now) {
    if (!then.contains(server)) {
      throw BadInput(flag_word("--server", server) + ": the run of " + folder +
                     " was started without it; remedy: " + "leave it out, or start a new run");
    }
  }
  if (!stored.hosts.empty() && given.hosts.empty()) refuse(folder, flag_word("--hosts", stored.hosts), "executed");
  if (stored.hosts.empty() && !given.hosts.empty()) {
    throw BadInput("--hosts: the run of " + folder + " was started without; remedy: leave it out, or start a new run");
  }
  const std::string target = given.target.empty() ? "" : parse_target(given.target).text();
  if (target == stored.target) return;
  if (!stored.target.empty()) refuse(folder, flag_word("--target", stored.target), "connected to");
  throw BadInput("--target: the run of " + folder +
                 " was started without a target; remedy: leave it out, or start a new run");
}

std::vector<StoredScenario> stored_scenarios(const SuiteOptions& options) {
  std::vector<StoredScenario> out;
  for (const auto& scenario : options.scenarios) {
    out.push_back({scenario.suite, scenario.name, to_json(scenario.source)});
  }
  return out;
}

std::string other_version(const std::string& version) {
  return version == HOLDFAST_VERSION ? "" : "was started by holdfast " + version + ", this is " HOLDFAST_VERSION;
}

const JsonForm<StoredScenario>& StoredScenario::form() {
  using Of = StoredScenario;
  static const JsonForm<Of> kForm{
      "scenario", "", {field("suite", &Of::suite), field("name", &Of::name), field("source", &Of::source)}};
  return kForm;
}

const JsonForm<StoredAdapter>& StoredAdapter::form() {
  using Of = StoredAdapter;
  static const JsonForm<Of> kForm{"adapter", "", {field("lock", &Of::lock), field("manifest", &Of::manifest)}};
  return kForm;
}

const JsonForm<RunManifest>& RunManifest::form() {
  using Of = RunManifest;
  constexpr auto kFlags = &Of::flags;
  constexpr auto kPatterns = [](auto& manifest) -> auto& {
    return manifest.flags.only.patterns;
  };
  constexpr auto kSeed = [](auto& manifest) -> auto& {
    return manifest.flags.seed;
  };
  static const JsonForm<Of> kForm{
      "manifest",
      "",
      {form_version<Of>("holdfast_run_manifest", 3, "holdfast_order"),
       checked<Of>(field("version", &Of::version), [](const Of& manifest) { return other_version(manifest.version); }),
       field("directory", &Of::directory),
       field("started_utc", &Of::started_utc),
       field("replay_of", &Of::replay_of),
       field("scenarios", &Of::scenarios),
       field("adapters", &Of::adapters),
       field("paths", kFlags, &RunFlags::paths),
       field("locks", kFlags, &RunFlags::locks),
       field_at<Of, std::vector<std::string>>("only", kPatterns, {}, ""),
       digits_at<Of, std::uint64_t>("seed", kSeed),
       checked<Of>(field("seeds", kFlags, &RunFlags::seeds), wrong_seeds),
       field("repeat", kFlags, &RunFlags::repeat, {1, INT32_MAX}),
       field("controls", kFlags, &RunFlags::controls),
       unless_default(field("time", kFlags, &RunFlags::time)),
       unless_default(field("strict", kFlags, &RunFlags::strict)),
       unless_default(field("default_lease", kFlags, &RunFlags::default_lease)),
       field("servers", kFlags, &RunFlags::servers),
       field("target", kFlags, &RunFlags::target),
       unless_default(field("hosts", kFlags, &RunFlags::hosts)),
       checked<Of>(unless_default(field("libraries", kFlags, &RunFlags::libraries)), wrong_libraries),
       checked<Of>(group("stop", has_stop_rule,
                         {field("until_caught", kFlags, &RunFlags::until_caught),
                          field("confidence", kFlags, &RunFlags::confidence), field("rate", kFlags, &RunFlags::rate)}),
                   wrong_stop),
       group(
           "shard", is_of_shard,
           {field("dealing", &Of::dealing), field("durations", kFlags, &RunFlags::durations),
            unless_default(field("first_trial", kFlags, &RunFlags::first_trial)), field("not_tried", &Of::left_out)})}};
  return kForm;
}

RunManifest new_manifest(const RunFlags& flags, const SuiteOptions& options, const std::string& started_utc) {
  RunManifest out;
  out.flags = flags;
  out.directory = std::filesystem::current_path().string();
  out.started_utc = started_utc;
  out.scenarios = stored_scenarios(options);
  out.adapters = adapters_of(options);
  out.flags.seed = options.seed;
  for (auto& server : out.flags.servers) server = absolute_server(server, out.directory);
  return out;
}

// A target's password is not stored: resuming requires it again.
void write_manifest(const RunManifest& manifest, const std::string& folder) {
  RunManifest kept = manifest;
  std::string& target = kept.flags.target;
  if (!target.empty()) target = parse_target(target).text();
  RunDirectory(folder).write(kOrderFile, text_of_json(to_json(kept), 1) + "\n", Keep::surely);
}

RunManifest stored_manifest(const std::string& folder) {
  const RunDirectory run(folder);
  if (!run.has(kOrderFile)) throw BadInput(folder + ": is not a run's folder (it has no run.json)");
  RunManifest out = read_json_file(run.file(kOrderFile), from_json<RunManifest>);
  out.flags.seed_given = true;
  if (out.dealing) out.flags.shard = to_text(out.dealing->shard);
  return out;
}

void check_unchanged(const std::string& folder, const RunManifest& manifest, const SuiteOptions& options) {
  const std::string file = folder + "/" + kOrderFile;
  std::vector<StoredAdapter> adapters_now;
  read_as_asked(folder, [&] { adapters_now = adapters_of(options); });
  for (const auto& [lock, says] : manifest.adapters) {
    const auto is_it = [&name = lock](const StoredAdapter& adapter) { return adapter.lock == name; };
    const auto found = std::find_if(adapters_now.begin(), adapters_now.end(), is_it);
    if (found == adapters_now.end() || found->manifest == says) continue;
    throw BadInput(file + ": the lock " + lock +
                   " has changed since the run began: its lock.json or its file of statements is different; " +
                   "remedy: restore it, or start a new run");
  }
  const std::string which = changed_scenario(manifest.scenarios, stored_scenarios(options));
  if (which.empty()) return;
  throw BadInput(file + ": the scenarios have changed since the run began: " + which +
                 "; remedy: restore them, or start a new run");
}

void read_as_asked(const std::string& folder, const std::function<void()>& read) {
  try {
    read();
  } catch (const BadInput& refused) {
    const std::string why = refused.what();
    const bool has_remedy = why.find("; remedy: ") != std::string::npos;
    throw BadInput(folder + "/" + kOrderFile + " asks for " + why + (has_remedy ? ", or " : "; remedy: ") +
                   "restore the run's scenarios, or start a new run");
  }
}

std::string changed_scenario(const std::vector<StoredScenario>& then, const std::vector<StoredScenario>& now) {
  const auto name_of = [](const StoredScenario& scenario) { return scenario.suite + "/" + scenario.name; };
  for (std::size_t i = 0; i < std::max(then.size(), now.size()); ++i) {
    if (i >= now.size()) return name_of(then[i]) + " is gone";
    if (i >= then.size()) return name_of(now[i]) + " is new";
    if (to_json(then[i]) != to_json(now[i]))
      return name_of(now[i]) + " was changed, or scenarios before it were added or removed";
  }
  return "";
}

OrderLock::OrderLock(const std::string& folder) : fd_(RunDirectory(folder).open(kOrderFile).take()) {
  if (::flock(fd_, LOCK_EX | LOCK_NB) == 0) return;
  ::close(fd_);
  throw BadInput(folder + ": another process is running it");
}

OrderLock::~OrderLock() {
  ::close(fd_);
}

}  // namespace holdfast
