// Stores when an adapter's program last reported a lock as lost. A report without a thread is for all threads; for
// adapters without `threads` each report applies. Thread names are chosen by the program, so the oldest of more than
// kMostNotices per lock is dropped to bound memory.
//
//   said.hear(message);
//   if (said.lost_since("k0", thread, granted_ns)) ...   // nanoseconds of the host's CLOCK_MONOTONIC
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "adapter/adapter_program.hpp"

namespace holdfast {

inline bool is_for(std::optional<std::int64_t> notice, std::optional<std::int64_t> thread) {
  return !notice || !thread || notice == thread;
}

class LossReports {
 public:
  void hear(const AdapterSaid& said) {
    if (said.message.name != MessageName::lost || !said.message.lock) return;
    const std::lock_guard guard(mutex_);
    auto& notices = lost_ns_[*said.message.lock];
    notices[said.message.thread] = said.read_ns;
    if (notices.size() <= kMostNotices) return;
    notices.erase(std::min_element(notices.begin(), notices.end(),
                                   [](const auto& one, const auto& other) { return one.second < other.second; }));
  }
  bool lost_since(const std::string& lock, std::optional<std::int64_t> thread, std::int64_t granted_ns) const {
    const std::lock_guard guard(mutex_);
    const auto found = lost_ns_.find(lock);
    if (found == lost_ns_.end()) return false;
    for (const auto& [whose, lost_ns] : found->second) {
      if (is_for(whose, thread) && lost_ns > granted_ns) return true;
    }
    return false;
  }

 private:
  static constexpr std::size_t kMostNotices = 1'000;

  mutable std::mutex mutex_;
  std::map<std::string, std::map<std::optional<std::int64_t>, std::int64_t>> lost_ns_;
};

}  // namespace holdfast
