// When an adapter's program last said, unasked, that a lock is lost. A notice that names no thread is for all threads;
// to who has none, as in an adapter that does not declare `threads`, each notice of the lock is for it. The program
// names threads as it likes: of more than kMostNotices of a lock the oldest is dropped, so that it cannot take all
// memory.
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

class SaidLost {
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
