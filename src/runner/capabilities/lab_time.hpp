// The trial's time, by the host's monotonic clock.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

#include "control/control_page.hpp"
#include "nemesis/capabilities/trial_time.hpp"

namespace holdfast {

class LabTime : public TrialTime {
 public:
  explicit LabTime(const ControlPage& page) : page_(page) {}

  // The runner's side.
  void begin_load() { load_ns_.store(now_ns()); }
  void close() { closing_.store(true); }

  std::int64_t now_ns() const override { return monotonic_ns() - page_.zero_ns; }
  std::int64_t load_ns() const override { return load_ns_.load(); }
  bool closing() const override { return closing_.load(); }
  bool wait_ms(std::int64_t ms) override {
    for (const std::int64_t until_ns = now_ns() + ms * 1'000'000; !closing();) {
      const std::int64_t left_ns = until_ns - now_ns();
      if (left_ns <= 0) return true;
      std::this_thread::sleep_for(std::chrono::nanoseconds(std::min(left_ns, kLook_ns)));
    }
    return false;
  }

 private:
  static constexpr std::int64_t kLook_ns = 20'000'000;  // whether the trial closes

  const ControlPage& page_;
  std::atomic<std::int64_t> load_ns_{-1};
  std::atomic<bool> closing_{false};
};

}  // namespace holdfast
