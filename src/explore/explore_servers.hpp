// The servers of the explorer's lab, each started when a lock first needs it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "explore/explorer.hpp"
#include "lab/process.hpp"
#include "lab/server_clock.hpp"

namespace holdfast {

class ExploreServers {
 public:
  explicit ExploreServers(std::string folder);  // of the exploration; its folder `lab` is in memory
  ExploreStores stores_of(const ExploreSettings& settings);
  void stop();

 private:
  struct FrozenRedis {
    ServerClock clock;
    Process process;
  };
  void need_mariadb();
  void need_redis(int worker);
  std::string folder_;
  std::optional<Process> mariadb_;
  std::vector<std::unique_ptr<FrozenRedis>> redis_;  // by worker
};

}  // namespace holdfast
