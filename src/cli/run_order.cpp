#include "cli/run_order.hpp"

#include <sys/file.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "artifact/beneath.hpp"
#include "artifact/error.hpp"
#include "artifact/json_text.hpp"
#include "cli/stored.hpp"
#include "cli/stored_servers.hpp"
#include "store/target.hpp"

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

RunOrder order_from_json(const nlohmann::json& in) {
  if (in.at("holdfast_order") != 1) throw BadInput("holdfast_order: only 1 is known here");
  if (in.at("version") != HOLDFAST_VERSION) {
    throw BadInput("was begun by holdfast " + in.at("version").get<std::string>() + ", this is " HOLDFAST_VERSION);
  }
  RunOrder out;
  in.at("directory").get_to(out.directory);
  in.at("started_utc").get_to(out.started_utc);
  in.at("replay_of").get_to(out.replay_of);
  out.scenarios = in.at("scenarios").dump();
  RunFlags& flags = out.flags;
  in.at("paths").get_to(flags.paths);
  in.at("locks").get_to(flags.locks);
  in.at("only").get_to(flags.only);
  flags.seed = std::stoull(in.at("seed").get<std::string>());
  flags.seed_given = true;
  in.at("seeds").get_to(flags.seeds);
  in.at("repeat").get_to(flags.repeat);
  in.at("controls").get_to(flags.controls);
  in.at("servers").get_to(flags.servers);
  in.at("target").get_to(flags.target);
  return out;
}

}  // namespace

RunOrder new_order(const RunFlags& flags, const SuiteOptions& options, const std::string& started_utc) {
  RunOrder out{flags, std::filesystem::current_path().string(), started_utc, scenarios_json(options).dump(), "", ""};
  out.flags.seed = options.seed;
  for (auto& server : out.flags.servers) server = absolute_server(server, out.directory);
  return out;
}

// A target's password is not kept: whoever resumes gives it again.
void write_order(const RunOrder& order, const std::string& folder) {
  const RunFlags& flags = order.flags;
  const nlohmann::json out{{"holdfast_order", 1},
                           {"version", HOLDFAST_VERSION},
                           {"directory", order.directory},
                           {"started_utc", order.started_utc},
                           {"replay_of", order.replay_of},
                           {"paths", flags.paths},
                           {"locks", flags.locks},
                           {"only", flags.only},
                           {"seed", std::to_string(flags.seed)},
                           {"seeds", flags.seeds},
                           {"repeat", flags.repeat},
                           {"controls", flags.controls},
                           {"servers", flags.servers},
                           {"target", flags.target.empty() ? "" : parse_target(flags.target).text()},
                           {"scenarios", nlohmann::json::parse(order.scenarios)}};
  Beneath(folder).write(kOrderFile, out.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n",
                        Keep::surely);
}

RunOrder stored_order(const std::string& folder) {
  const Beneath run(folder);
  if (!run.has(kOrderFile)) throw BadInput(folder + ": no run was begun there (it has no run.json)");
  return read_stored(run.file(kOrderFile), order_from_json);
}

void check_unchanged(const RunOrder& order, const SuiteOptions& options) {
  const nlohmann::json then = nlohmann::json::parse(order.scenarios);
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
