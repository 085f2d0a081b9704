#include "cli/stored.hpp"

#include <sys/file.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "artifact/beneath.hpp"
#include "artifact/error.hpp"
#include "artifact/json_text.hpp"
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

struct Begun {
  bool replay = false;
  bool libraries = false;
};

// What run.json says was begun. Where it cannot be read, whoever resumes it is told what is wrong.
Begun begun_run(const Beneath& run) {
  try {
    return read_json_text(run.read("run.json"), run.path_of("run.json"), [](const nlohmann::json& json) {
      return Begun{!Shape(json).text("replay_of").empty(), json.contains("libraries")};
    });
  } catch (const BadInput&) {
    return {};
  }
}

}  // namespace

InputFile verdict_file(const std::string& folder) {
  namespace fs = std::filesystem;
  std::error_code none;
  const std::string remedy = "; remedy: a run's folder, or first: holdfast run";
  if (!fs::is_directory(folder, none)) throw BadInput(folder + ": no such folder" + remedy);
  const Beneath run(folder);
  if (run.has("verdict.json")) return run.file("verdict.json");
  const std::string real = fs::canonical(folder, none).string();
  if (run.has("compare.json")) {
    throw BadInput(folder + " (" + real + "): is the folder of a comparison; its page is compare.html" + remedy);
  }
  if (run.has("envelope.json")) {
    throw BadInput(folder + " (" + real + "): is the folder of an envelope; its page is envelope.html" + remedy);
  }
  if (run.has("run.json")) {
    const Begun begun = begun_run(run);
    if (begun.replay) {
      throw BadInput(folder + " (" + real + "): the replay is not complete; remedy: replay again");
    }
    throw BadInput(folder + " (" + real + "): the run did not come to its end; remedy: holdfast " +
                   (begun.libraries ? "libraries run" : "run") + " --resume " + folder);
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

namespace {

std::set<std::string> servers_in(const ServerFlags& flags, const std::string& directory) {
  std::set<std::string> out;
  for (const auto& server : flags.servers) out.insert(absolute_server(server, directory));
  return out;
}

std::string flag_word(Literal flag, const std::string& value) {
  return ShellCommand().flag(flag, value).text();
}

[[noreturn]] void refuse(const std::string& folder, const std::string& flag, const char* does) {
  throw BadInput(folder + "/run.json: the run was begun with " + flag + "; what a folder names is not " + does +
                 " unless the command line names it too; remedy: if you trust it, add " + flag);
}

}  // namespace

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
                     " was begun without it; remedy: " + "leave it out, or begin a new run");
    }
  }
  if (!stored.hosts.empty() && given.hosts.empty()) refuse(folder, flag_word("--hosts", stored.hosts), "executed");
  if (stored.hosts.empty() && !given.hosts.empty()) {
    throw BadInput("--hosts: the run of " + folder + " was begun without; remedy: leave it out, or begin a new run");
  }
  const std::string target = given.target.empty() ? "" : parse_target(given.target).text();
  if (target == stored.target) return;
  if (!stored.target.empty()) refuse(folder, flag_word("--target", stored.target), "connected to");
  throw BadInput("--target: the run of " + folder +
                 " was begun without a target; remedy: leave it out, or begin a new run");
}

namespace {

constexpr const char* kOrderFile = "run.json";

nlohmann::json scenarios_json(const SuiteOptions& options) {
  nlohmann::json out = nlohmann::json::array();
  for (const auto& scenario : options.scenarios) {
    out.push_back({{"suite", scenario.suite}, {"name", scenario.name}, {"source", to_json(scenario.source)}});
  }
  return out;
}

// Of all locks that the scenarios, or their controls, name.
std::map<std::string, std::string> adapters_of(const SuiteOptions& options) {
  std::map<std::string, std::string> out;
  const auto add = [&out](const std::string& ref) {
    const std::string lock = parse_lock_ref(ref).lock;
    if (const std::string says = stored_lock(lock); !says.empty()) out[lock] = says;
  };
  for (const auto& scenario : options.scenarios) {
    for (const auto& lock : scenario.locks) {
      add(lock);
      const PairedControl* control = scenario.control_of(lock);
      if (control != nullptr && !control->lock.empty()) add(control->lock);
    }
  }
  return out;
}

nlohmann::json adapters_json(const std::map<std::string, std::string>& adapters) {
  auto out = nlohmann::json::array();
  for (const auto& [lock, manifest] : adapters) out.push_back({{"lock", lock}, {"manifest", manifest}});
  return out;
}

// Compared with the scenarios of today, and looked at no closer.
std::string stored_scenarios(Shape& in) {
  const nlohmann::json& all = in.any("scenarios");
  if (!all.is_array()) in.refuse("scenarios", "expected an array");
  in.list<bool>("scenarios", [](Shape& scenario) {
    scenario.text("suite");
    scenario.text("name");
    scenario.any("source");
    return true;
  });
  return text_of_json(all);
}

nlohmann::json shard_json(const RunManifest& manifest) {
  auto left_out = nlohmann::json::array();
  for (const auto& one : manifest.left_out) {
    left_out.push_back({{"lock", one.lock}, {"what", one.what}, {"why", one.why}});
  }
  return {{"dealing", to_json(*manifest.dealing)},
          {"durations", manifest.flags.durations},
          {"not_tried", std::move(left_out)}};
}

nlohmann::json stop_json(const RunFlags& flags) {
  return {{"until_caught", flags.until_caught}, {"confidence", flags.confidence}, {"rate", flags.rate}};
}

void read_stop(Shape in, RunFlags& flags) {
  flags.until_caught = in.boolean("until_caught");
  flags.confidence = in.text("confidence");
  flags.rate = in.text("rate");
  in.finish();
}

// They become words of a command that is shown.
std::vector<std::string> library_names(Shape& in) {
  auto out = in.texts("libraries");
  for (const auto& name : out) parse_library_ref(name);
  return out;
}

void read_shard(Shape in, RunManifest& out) {
  out.dealing = read_dealing(in.object("dealing"));
  out.flags.shard = to_text(out.dealing->shard);
  out.flags.durations = in.text("durations");
  out.left_out = in.list<NotTried>("not_tried", [](Shape& one) {
    return NotTried{one.text("lock"), one.text("what"), one.text("why")};
  });
  in.finish();
}

// Refuses a stored value as its flag would be refused, and names its place in the file.
void read_seeds(Shape& in, RunFlags& flags) {
  flags.seeds = in.text("seeds");
  if (flags.seeds.empty()) return;
  try {
    parse_seeds(flags.seeds);
  } catch (const BadInput& wrong) {
    in.refuse("seeds", wrong.what());
  }
}

void check_stop(Shape& in, RunFlags flags) {
  try {
    take_stop_rule(flags);
  } catch (const BadInput& wrong) {
    in.refuse("stop", wrong.what());
  }
}

RunManifest manifest_from_json(const nlohmann::json& json) {
  Shape in(json);
  in.form("holdfast_run_manifest", 3, "holdfast_order");
  if (const std::string version = in.text("version"); version != HOLDFAST_VERSION) {
    throw BadInput("was begun by holdfast " + version + ", this is " HOLDFAST_VERSION);
  }
  RunManifest out;
  out.directory = in.text("directory");
  out.started_utc = in.text("started_utc");
  out.replay_of = in.text("replay_of");
  out.scenarios = stored_scenarios(in);
  in.list<bool>("adapters", [&out](Shape& adapter) {
    const std::string lock = adapter.text("lock");
    out.adapters[lock] = adapter.text("manifest");
    return true;
  });
  RunFlags& flags = out.flags;
  flags.paths = in.texts("paths");
  flags.locks = in.texts("locks");
  flags.only.patterns = in.texts("only");
  flags.seed = in.digits("seed");
  flags.seed_given = true;
  read_seeds(in, flags);
  flags.repeat = static_cast<int>(in.integer("repeat", 1, INT32_MAX));
  flags.controls = in.boolean("controls");
  flags.servers = in.texts("servers");
  flags.target = in.text("target");
  if (in.has("hosts")) flags.hosts = in.text("hosts");
  if (in.has("libraries")) flags.libraries = library_names(in);
  if (in.has("stop")) read_stop(in.object("stop"), flags);
  check_stop(in, flags);
  if (in.has("shard")) read_shard(in.object("shard"), out);
  in.finish();
  return out;
}

}  // namespace

RunManifest new_manifest(const RunFlags& flags, const SuiteOptions& options, const std::string& started_utc) {
  RunManifest out;
  out.flags = flags;
  out.directory = std::filesystem::current_path().string();
  out.started_utc = started_utc;
  out.scenarios = text_of_json(scenarios_json(options));
  out.adapters = adapters_of(options);
  out.flags.seed = options.seed;
  for (auto& server : out.flags.servers) server = absolute_server(server, out.directory);
  return out;
}

// A target's password is not kept: whoever resumes gives it again.
void write_manifest(const RunManifest& manifest, const std::string& folder) {
  const RunFlags& flags = manifest.flags;
  nlohmann::json out{{"holdfast_run_manifest", 3},
                     {"version", HOLDFAST_VERSION},
                     {"directory", manifest.directory},
                     {"started_utc", manifest.started_utc},
                     {"replay_of", manifest.replay_of},
                     {"paths", flags.paths},
                     {"locks", flags.locks},
                     {"only", flags.only.patterns},
                     {"seed", std::to_string(flags.seed)},
                     {"seeds", flags.seeds},
                     {"repeat", flags.repeat},
                     {"controls", flags.controls},
                     {"servers", flags.servers},
                     {"adapters", adapters_json(manifest.adapters)},
                     {"target", flags.target.empty() ? "" : parse_target(flags.target).text()},
                     {"scenarios", parse_json(manifest.scenarios, "scenarios")}};
  if (flags.until_caught || !flags.confidence.empty()) out["stop"] = stop_json(flags);
  if (!flags.hosts.empty()) out["hosts"] = flags.hosts;
  if (flags.libraries) out["libraries"] = *flags.libraries;
  if (manifest.dealing) out["shard"] = shard_json(manifest);
  Beneath(folder).write(kOrderFile, text_of_json(out, 1) + "\n", Keep::surely);
}

RunManifest stored_manifest(const std::string& folder) {
  const Beneath run(folder);
  if (!run.has(kOrderFile)) throw BadInput(folder + ": no run was begun there (it has no run.json)");
  return read_json_file(run.file(kOrderFile), manifest_from_json);
}

void check_unchanged(const std::string& folder, const RunManifest& manifest, const SuiteOptions& options) {
  const std::string file = folder + "/" + kOrderFile;
  std::map<std::string, std::string> adapters_now;
  read_as_asked(folder, [&] { adapters_now = adapters_of(options); });
  for (const auto& [lock, says] : manifest.adapters) {
    const auto found = adapters_now.find(lock);
    if (found == adapters_now.end() || found->second == says) continue;
    throw BadInput(file + ": the lock " + lock +
                   " is not the one that the run began with: its lock.json, or its file of " +
                   "statements, says something else now; remedy: restore it, or begin a new run");
  }
  const std::string which = changed_scenario(manifest.scenarios, text_of_json(scenarios_json(options)));
  if (which.empty()) return;
  throw BadInput(file + ": the scenarios have changed since the run began: " + which +
                 "; remedy: restore them, or begin a new run");
}

void read_as_asked(const std::string& folder, const std::function<void()>& read) {
  try {
    read();
  } catch (const BadInput& refused) {
    const std::string why = refused.what();
    const bool has_remedy = why.find("; remedy: ") != std::string::npos;
    throw BadInput(folder + "/" + kOrderFile + " asks for " + why + (has_remedy ? ", or " : "; remedy: ") +
                   "restore what the run began with, or begin a new run");
  }
}

std::string changed_scenario(const std::string& all_then, const std::string& all_now) {
  const nlohmann::json then = parse_json(all_then, "scenarios");
  const nlohmann::json now = parse_json(all_now, "scenarios");
  const auto name_of = [](const nlohmann::json& scenario) {
    return scenario.at("suite").get<std::string>() + "/" + scenario.at("name").get<std::string>();
  };
  for (std::size_t i = 0; i < std::max(then.size(), now.size()); ++i) {
    if (i >= now.size()) return name_of(then[i]) + " is gone";
    if (i >= then.size()) return name_of(now[i]) + " is new";
    if (then[i] != now[i]) return name_of(now[i]) + " was changed, or scenarios before it were added or removed";
  }
  return "";
}

OrderLock::OrderLock(const std::string& folder) : fd_(Beneath(folder).open(kOrderFile).take()) {
  if (::flock(fd_, LOCK_EX | LOCK_NB) == 0) return;
  ::close(fd_);
  throw BadInput(folder + ": another process is running it");
}

OrderLock::~OrderLock() {
  ::close(fd_);
}

}  // namespace holdfast
