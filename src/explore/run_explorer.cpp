// Inside the lab: the servers, and one lock after the other.
#include <unistd.h>
#include <nlohmann/json.hpp>

#include "artifact/error.hpp"
#include "artifact/json_reader.hpp"
#include "explore/explore_lab.hpp"
#include "explore/explore_servers.hpp"
#include "explore/explorer.hpp"

namespace holdfast {
namespace {

nlohmann::json replayed(const nlohmann::json& order, ExploreServers& servers) {
  const ExploreSettings settings = settings_from_json(order.at("settings"));
  const auto words = parse_words(order.at("words"));
  Explored out;
  out.job.settings = settings;
  out.numbers.schedules = 1;
  ExploreStores stores = servers.stores_of(settings);
  out.finds.push_back(replay(settings, words, stores));
  nlohmann::json first = to_json(out);
  const std::string real_waits = out.finds.front().real_waits;
  stores.with_real_waits = nullptr;  // once is enough
  for (int i = 1; i < order.value("repeat", 1); ++i) {
    out.finds.front() = replay(settings, words, stores);
    out.finds.front().real_waits = real_waits;
    if (to_json(out) != first) throw HarnessError("replay " + std::to_string(i + 1) + " differs from the first");
  }
  first["schedules"] = order.value("repeat", 1);
  return first;
}

}  // namespace

void run_explorer(const std::string& folder) {
  const std::string file = folder + "/explore.json";
  const auto order = parse_json(read_text_file(file), file);
  const std::string stop = folder + "/stop";
  ExploreServers servers(folder);
  auto results = nlohmann::json::array();
  for (const auto& part : order.at("parts")) {
    if (::access(stop.c_str(), F_OK) == 0) break;
    if (part.contains("words")) {
      results.push_back(replayed(part, servers));
    } else {
      ExploreJob job = job_from_json(part);
      job.limits.stop = [&stop] { return ::access(stop.c_str(), F_OK) == 0; };
      results.push_back(to_json(explore(job, servers.stores_of(job.settings))));
    }
    write_text_file(folder + "/explored.json", results.dump() + "\n");
  }
  servers.stop();
}

}  // namespace holdfast
