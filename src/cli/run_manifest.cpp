#include "cli/run_manifest.hpp"

#include <sys/file.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "artifact/beneath.hpp"
#include "artifact/error.hpp"
#include "artifact/json_text.hpp"
#include "cli/stored.hpp"
#include "cli/stored_servers.hpp"
#include "lock/adapter_locks.hpp"
#include "servers/target.hpp"

namespace holdfast {
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
    if (const std::string says = stored_adapter(lock); !says.empty()) out[lock] = says;
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
  return all.dump();
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
  flags.only = in.texts("only");
  flags.seed = in.digits("seed");
  flags.seed_given = true;
  flags.seeds = in.text("seeds");
  flags.repeat = static_cast<int>(in.integer("repeat", 1, INT32_MAX));
  flags.controls = in.boolean("controls");
  flags.servers = in.texts("servers");
  flags.target = in.text("target");
  in.finish();
  return out;
}

}  // namespace

RunManifest new_manifest(const RunFlags& flags, const SuiteOptions& options, const std::string& started_utc) {
  RunManifest out;
  out.flags = flags;
  out.directory = std::filesystem::current_path().string();
  out.started_utc = started_utc;
  out.scenarios = scenarios_json(options).dump();
  out.adapters = adapters_of(options);
  out.flags.seed = options.seed;
  for (auto& server : out.flags.servers) server = absolute_server(server, out.directory);
  return out;
}

// A target's password is not kept: whoever resumes gives it again.
void write_manifest(const RunManifest& manifest, const std::string& folder) {
  const RunFlags& flags = manifest.flags;
  const nlohmann::json out{{"holdfast_run_manifest", 3},
                           {"version", HOLDFAST_VERSION},
                           {"directory", manifest.directory},
                           {"started_utc", manifest.started_utc},
                           {"replay_of", manifest.replay_of},
                           {"paths", flags.paths},
                           {"locks", flags.locks},
                           {"only", flags.only},
                           {"seed", std::to_string(flags.seed)},
                           {"seeds", flags.seeds},
                           {"repeat", flags.repeat},
                           {"controls", flags.controls},
                           {"servers", flags.servers},
                           {"adapters", adapters_json(manifest.adapters)},
                           {"target", flags.target.empty() ? "" : parse_target(flags.target).text()},
                           {"scenarios", parse_json(manifest.scenarios, "scenarios")}};
  Beneath(folder).write(kOrderFile, out.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n",
                        Keep::surely);
}

RunManifest stored_manifest(const std::string& folder) {
  const Beneath run(folder);
  if (!run.has(kOrderFile)) throw BadInput(folder + ": no run was begun there (it has no run.json)");
  return read_json_file(run.file(kOrderFile), manifest_from_json);
}

void check_unchanged(const RunManifest& manifest, const SuiteOptions& options) {
  const auto adapters_now = adapters_of(options);
  for (const auto& [lock, says] : manifest.adapters) {
    const auto found = adapters_now.find(lock);
    if (found == adapters_now.end() || found->second == says) continue;
    throw BadInput("the adapter of " + lock + " is not the one that the run began with: its lock.json says something " +
                   "else now; remedy: put it back, or begin a new run");
  }
  const nlohmann::json then = parse_json(manifest.scenarios, "scenarios");
  const nlohmann::json now = scenarios_json(options);
  if (then == now) return;
  const auto name_of = [](const nlohmann::json& scenario) {
    return scenario.at("suite").get<std::string>() + "/" + scenario.at("name").get<std::string>();
  };
  const std::size_t most = std::max(then.size(), now.size());
  std::string which;
  for (std::size_t i = 0; i < most && which.empty(); ++i) {
    if (i >= now.size())
      which = name_of(then[i]) + " is gone";
    else if (i >= then.size())
      which = name_of(now[i]) + " is new";
    else if (then[i] != now[i])
      which = name_of(now[i]) + " was changed, or others came or went before it";
  }
  throw BadInput("the scenarios are not those that the run began with: " + which +
                 "; remedy: put them back, or begin a new run");
}

OrderLock::OrderLock(const std::string& folder) : fd_(Beneath(folder).open(kOrderFile)) {
  if (::flock(fd_, LOCK_EX | LOCK_NB) == 0) return;
  ::close(fd_);
  throw BadInput(folder + ": another process is running it");
}

OrderLock::~OrderLock() {
  ::close(fd_);
}

}  // namespace holdfast
