#include "client/heartbeat.hpp"

#include <chrono>

namespace holdfast {

HeartbeatThread::HeartbeatThread(Heartbeat& shown) : shown_(shown), thread_([this] { beat(); }) {}

HeartbeatThread::~HeartbeatThread() {
  {
    const std::lock_guard guard(mutex_);
    over_ = true;
  }
  over_changed_.notify_one();
  thread_.join();
}

void HeartbeatThread::beat() {
  std::int64_t last_ns = monotonic_ns();
  for (std::unique_lock guard(mutex_); !over_;) {
    over_changed_.wait_for(guard, std::chrono::nanoseconds(Heartbeat::kBeat_ns));
    const std::int64_t now_ns = monotonic_ns();
    if (now_ns - last_ns >= Heartbeat::kGap_ns) shown_.add(last_ns, now_ns);
    last_ns = now_ns;
  }
}

}  // namespace holdfast
