// When faults had stopped a process: what is left of a stretch in which it did not run was done from outside.
// Safe to use from several threads.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

namespace holdfast {

struct StoppedSpan {
  std::int64_t from_ns = 0;  // of CLOCK_MONOTONIC
  std::int64_t to_ns = 0;
};

// The number of a server, beside those of clients.
constexpr std::int64_t number_of_server(std::uint32_t server) {
  return -1 - static_cast<std::int64_t>(server);
}

class PlannedStops {
 public:
  // A fault sent SIGSTOP or SIGCONT (others change nothing), `number` being the process's own in this object.
  void signalled(std::int64_t number, int signal, std::int64_t now_ns);

  // The parts of the stretch in which no fault had stopped the process. A stop lasts for `slack_ns` beyond its end: one
  // that is let go on does not run at that very moment.
  std::vector<StoppedSpan> others(std::int64_t number, StoppedSpan stretch, std::int64_t slack_ns) const;

 private:
  mutable std::mutex mutex_;
  std::map<std::int64_t, std::vector<StoppedSpan>> stops_;  // in order; the last may be open
};

}  // namespace holdfast
