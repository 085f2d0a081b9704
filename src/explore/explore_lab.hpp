// The explorer's private lab: its own servers, unreachable from outside, with data in memory, and the process that
// steps locks on them. The same kind of lab as a trial's, but with a single network: nothing is cut.
//
//   ExploreOutcome o = explore_in_lab(folder, jobs, interrupted);   // outside: starts the lab, waits
//   run_explorer(folder);                                           // inside it
//
// Both sides communicate by files in the folder: explore.json is the order; explored.json has the results so far and is
// rewritten after each lock; a file `stop` requests the end. When the outer process dies, the kernel ends the lab.
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

// The command that explores inside the lab, and its time mode.
struct ExploreLabPart {
  const char* name = "explorer";
  TimeMode time = TimeMode::real;
};

ExploreOutcome explore_in_lab(const std::string& folder, const ExploreOrder& order,
                              const std::atomic<bool>& interrupted,
                              const std::function<void(const ExploreResult&)>& progress,
                              const ExploreLabPart& part = {});

void run_explorer(const std::string& folder);

// Runs inside the lab for another command: carries out the folder's order with these two functions, and writes each
// result.
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
  explicit ExploreServers(std::string folder);  // of the exploration; its subfolder `lab` is in memory
  ExploreStores stores_of(const ExploreSettings& settings);
  void stop();

 private:
  std::string folder_;
  std::map<std::string, std::unique_ptr<ExploreServer>> servers_;  // by kind
};

}  // namespace holdfast
