// The explorer's private lab: servers of its own that nothing outside can reach, with data in memory, and the process
// that steps locks on them. The same lab as a trial's, but for one network: there is nothing to cut.
//
//   ExploreOutcome o = explore_in_lab(folder, jobs, interrupted);   // outside: starts the lab, waits
//   run_explorer(folder);                                           // inside it
//
// They talk through files in the folder: explore.json says what to do, explored.json what was found so far, written
// anew after each lock; a file `stop` asks for an end. When the outer process dies the kernel ends the lab.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "artifact/time_mode.hpp"
#include "explore/explore_result.hpp"

namespace holdfast {

struct ExploreOutcome {
  std::vector<ExploreResult> results;
  int exit_code = 0;  // of the lab
  std::string error;
};

// Which command of this program explores inside the lab, and in which time.
struct ExploreLabPart {
  const char* name = "explorer";
  TimeMode time = TimeMode::real;
};

ExploreOutcome explore_in_lab(const std::string& folder, const ExploreOrder& order,
                              const std::atomic<bool>& interrupted,
                              const std::function<void(const ExploreResult&)>& progress,
                              const ExploreLabPart& part = {});

void run_explorer(const std::string& folder);

// Inside the lab, for another command: carries out the folder's order by these two, and writes each result.
struct OrderSteps {
  std::function<ExploreResult(const ExploreJob&)> explore;
  std::function<ExploreResult(const ExploreReplay&)> replay;
  // Asked before each job but the first: false leaves it and those after it out. Null: all are carried out.
  std::function<bool(const std::vector<ExploreResult>&)> goes_on = nullptr;
};
void carry_out_order(const std::string& folder, const OrderSteps& steps);

// The servers of the explorer's lab, each started when a lock first needs it.

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
