// The servers of the explorer's lab, each started when a lock first needs it.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "explore/explorer.hpp"

namespace holdfast {

class ExploreServers {
 public:
  explicit ExploreServers(std::string folder);  // of the exploration; its folder `lab` is in memory
  ExploreStores stores_of(const ExploreSettings& settings);
  void stop();

 private:
  std::string folder_;
  std::map<std::string, std::unique_ptr<ExploreServer>> servers_;  // by kind
};

}  // namespace holdfast
