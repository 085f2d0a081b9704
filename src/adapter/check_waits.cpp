#include "adapter/check_waits.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "artifact/monotonic.hpp"

namespace holdfast {
namespace {

constexpr auto kLook = std::chrono::milliseconds(50);
constexpr std::int64_t kNsOfMs = 1'000'000;

// The text of an excuse.
std::string starved_text(std::int64_t waited_ms, std::int64_t of_ms) {
  return "the machine was starved: in " + std::to_string(of_ms) + " ms the processes involved waited " +
         std::to_string(waited_ms) + " ms for a processor";
}

}  // namespace

CheckWaits::CheckWaits(const std::vector<pid_t>& servers) : not_counted_(not_counted()) {
  const std::int64_t now_ns = monotonic_ns();
  watched_.emplace(::getpid(), Watched{SchedulerWait(::getpid(), now_ns), nullptr});
  for (const pid_t server : servers) watched_.emplace(server, Watched{SchedulerWait(server, now_ns), nullptr});
  samples_.push_back({now_ns, 0});
  looks_ = std::jthread([this](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      std::this_thread::sleep_for(kLook);
      const std::lock_guard lock(mutex_);
      look();
    }
  });
}

CheckWaits::~CheckWaits() {
  looks_.request_stop();
  looks_.join();
}

void CheckWaits::add(pid_t adapter) {
  const std::lock_guard lock(mutex_);
  const std::int64_t now_ns = monotonic_ns();
  watched_.insert_or_assign(adapter,
                            Watched{SchedulerWait(adapter, now_ns), std::make_unique<ProgramWait>(adapter, now_ns)});
}

void CheckWaits::look() {
  const std::int64_t now_ns = monotonic_ns();
  std::int64_t waited_ns = samples_.back().waited_ns;
  for (auto& [pid, one] : watched_) {
    waited_ns += one.wait.look_ns(now_ns);
    if (one.programs) waited_ns += one.programs->look_ns(now_ns);
  }
  samples_.push_back({now_ns, waited_ns});
}

std::int64_t CheckWaits::between_ns(std::int64_t from_ns, std::int64_t to_ns) {
  const std::lock_guard lock(mutex_);
  look();
  const auto later = [](std::int64_t at_ns, const Sample& sample) { return at_ns < sample.at_ns; };
  const auto after_from = std::upper_bound(samples_.begin(), samples_.end(), from_ns, later);
  const auto after_to = std::upper_bound(after_from, samples_.end(), to_ns, later);
  const Sample& first = after_from == samples_.begin() ? *after_from : *std::prev(after_from);
  return std::prev(after_to == samples_.end() ? after_to : std::next(after_to))->waited_ns - first.waited_ns;
}

std::string CheckWaits::excuse(std::int64_t from_ns, std::int64_t to_ns, std::int64_t limit_ms) {
  const std::int64_t took_ns = to_ns - from_ns;
  if (took_ns <= limit_ms * kNsOfMs) return "";
  if (!not_counted_.empty()) return not_counted_;
  const std::int64_t waited_ns = between_ns(from_ns, to_ns);
  if (took_ns - waited_ns > limit_ms * kNsOfMs) return "";
  return starved_text(waited_ns / kNsOfMs, took_ns / kNsOfMs);
}

}  // namespace holdfast
