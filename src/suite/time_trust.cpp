#include "suite/time_trust.hpp"

#include <algorithm>

#include "virtual_time/timekeeper.hpp"

namespace holdfast {
namespace {

constexpr double kSkip_ms = 0.25;  // measured processor time of a skipped wait
constexpr const char* kEarlier = "an earlier trial of this lock: ";
constexpr int kDoubtful = 2;  // trials, if no other trial of the lock had a reliable clock

double middle_ms(const Range& range) {
  return static_cast<double>(range.least + range.most) / 2;
}

// A client waits between two refusals, or holds the lock and then pauses; the shorter of these counts.
bool is_busy(const Load& load) {
  const double askers = static_cast<double>(load.clients) * static_cast<double>(load.threads);
  const double wait_ms =
      std::min(static_cast<double>(load.poll_ms), middle_ms(load.hold_ms) + middle_ms(load.pause_ms));
  return askers * kSkip_ms >= wait_ms;
}

}  // namespace

std::string TimeTrust::doubt_of(const std::string& lock, const Load& load) const {
  if (is_busy(load)) return "its clients send so many requests that real time is faster";
  const std::lock_guard guard(mutex_);
  const auto found = seen_.find(lock);
  if (found != seen_.end() && found->second.real_is_faster) return kEarlier + found->second.doubt;
  if (found == seen_.end() || found->second.right > 0 || found->second.doubtful < kDoubtful) return "";
  return found->second.doubt;
}

void TimeTrust::note(const std::string& lock, const std::string& doubt) {
  const std::lock_guard guard(mutex_);
  Seen& seen = seen_[lock];
  if (doubt.empty()) {
    ++seen.right;
    return;
  }
  if (seen.real_is_faster) return;
  seen.real_is_faster = doubt.find(kRealTimeIsFaster) != std::string::npos;
  ++seen.doubtful;
  seen.doubt = doubt;
}

}  // namespace holdfast
