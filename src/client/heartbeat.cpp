#include "client/heartbeat.hpp"

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace holdfast {

std::jthread start_heartbeat(Heartbeat& shown) {
  return std::jthread([&shown](const std::stop_token& over) {
    std::mutex mutex;
    std::condition_variable_any sleep;  // which the end cuts short
    std::unique_lock guard(mutex);
    for (std::int64_t last_ns = monotonic_ns(); !over.stop_requested();) {
      sleep.wait_for(guard, over, std::chrono::nanoseconds(Heartbeat::kBeat_ns), [] { return false; });
      const std::int64_t now_ns = monotonic_ns();
      if (now_ns - last_ns >= Heartbeat::kGap_ns) shown.add(last_ns, now_ns);
      last_ns = now_ns;
    }
  });
}

}  // namespace holdfast
