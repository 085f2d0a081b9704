// Checks in each trial in skipped time that its clock is reliable: one thread sleeps, asks another over the lab's
// network, and reads the clock. If time is skipped while a byte is in flight, no answer comes in time; if a wait is
// ended too early, the clock shows it.
//
//   TimeCanary canary(client_node, resource_node, kCanaryAddress);
//   ... the trial ...
//   for (const std::string& doubt : canary.doubts()) ...   // ends it; each doubt means the trial's time is unreliable
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

  int socket_ = -1;  // of the asking thread
  std::atomic<bool> over_{false};
  std::thread answers_, asks_;
  std::int64_t rounds_ = 0;
  std::int64_t unanswered_ = 0;
  std::int64_t most_early_ns_ = 0;
};

// The doubts for these observations.
std::vector<std::string> canary_doubts(std::int64_t rounds, std::int64_t unanswered, std::int64_t most_early_ns);

}  // namespace holdfast
