#include "runner/stall_meter.hpp"

#include "control/control_page.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kStall_ns = 150'000'000;  // well above the runner's own look of 10 ms

}  // namespace

StallMeter::StallMeter(std::int64_t zero_ns) : zero_ns_(zero_ns), last_ns_(monotonic_ns()) {}

void StallMeter::look() {
  const std::int64_t now_ns = monotonic_ns();
  const std::int64_t gap_ns = now_ns - last_ns_;
  if (gap_ns > kStall_ns) {
    Event event;
    event.actor = Actor::nemesis;
    event.type = EventType::info;
    event.time_ns = now_ns - zero_ns_;
    event.fault = "machine";
    event.step = FaultStep::stall;
    event.detail = "the machine stood still for " + std::to_string(gap_ns / 1'000'000) + " ms";
    events_.push_back(event);
  }
  last_ns_ = now_ns;
}

}  // namespace holdfast
