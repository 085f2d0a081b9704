// The servers of the explorer's lab, each started when a lock first needs it.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "explore/explorer.hpp"
#include "lab/process.hpp"

namespace holdfast {

class ExploreServers {
 public:
  explicit ExploreServers(std::string folder);  // of the exploration; its folder `lab` is in memory
  StoreMaker stores_of(const ExploreSettings& settings);
  void stop();

 private:
  void need_mariadb();
  std::string folder_;
  std::optional<Process> mariadb_;
};

}  // namespace holdfast
