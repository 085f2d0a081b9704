#include "runner/planned_stops.hpp"

#include <algorithm>
#include <csignal>
#include <limits>

namespace holdfast {
namespace {

constexpr std::int64_t kOpen = std::numeric_limits<std::int64_t>::max();

}  // namespace

void PlannedStops::signalled(std::int64_t number, int signal, std::int64_t now_ns) {
  const std::lock_guard guard(mutex_);
  auto& stops = stops_[number];
  const bool open = !stops.empty() && stops.back().to_ns == kOpen;
  if (signal == SIGSTOP && !open) stops.push_back({now_ns, kOpen});
  if (signal == SIGCONT && open) stops.back().to_ns = now_ns;
}

std::vector<StoppedSpan> PlannedStops::others(std::int64_t number, StoppedSpan stretch, std::int64_t slack_ns) const {
  const std::lock_guard guard(mutex_);
  std::vector<StoppedSpan> out;
  const auto found = stops_.find(number);
  if (found != stops_.end()) {
    for (const StoppedSpan& stop : found->second) {
      const std::int64_t end_ns = stop.to_ns == kOpen ? kOpen : stop.to_ns + slack_ns;
      if (stop.from_ns >= stretch.to_ns || end_ns <= stretch.from_ns) continue;
      if (stop.from_ns > stretch.from_ns) out.push_back({stretch.from_ns, stop.from_ns});
      stretch.from_ns = std::min(end_ns, stretch.to_ns);
    }
  }
  if (stretch.from_ns < stretch.to_ns) out.push_back(stretch);
  return out;
}

}  // namespace holdfast
