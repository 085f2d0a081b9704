// Shows, in each trial that lives in skipped time, whether its clock can be trusted: one thread sleeps, asks another
// across the lab's network, and looks at the clock. If time is skipped while a byte is on its way, no answer comes in
// time; if a wait is ended too early, the clock says so.
//
//   TimeCanary canary(client_node, resource_node, kCanaryAddress);
//   ... the trial ...
//   for (const std::string& doubt : canary.doubts()) ...   // ends it; each is a reason to distrust the trial's time
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "lab/network.hpp"

namespace holdfast {

class TimeCanary {
 public:
  TimeCanary(const Node& asks, const Node& answers, const std::string& address);  // throws HarnessError
  ~TimeCanary();
  TimeCanary(const TimeCanary&) = delete;
  TimeCanary& operator=(const TimeCanary&) = delete;

  std::vector<std::string> doubts();

 private:
  void ask();
  void end();

  int socket_ = -1;  // of who asks
  std::atomic<bool> over_{false};
  std::thread answers_, asks_;
  std::int64_t rounds_ = 0;
  std::int64_t unanswered_ = 0;
  std::int64_t most_early_ns_ = 0;
};

// The doubts of a canary that saw this.
std::vector<std::string> canary_doubts(std::int64_t rounds, std::int64_t unanswered, std::int64_t most_early_ns);

}  // namespace holdfast
