#include "suite/time_trust.hpp"

namespace holdfast {
namespace {

constexpr int kDoubtful = 2;  // trials, where no other trial of the lock had a clock that was right

}  // namespace

std::string TimeTrust::doubt_of(const std::string& lock) const {
  const std::lock_guard guard(mutex_);
  const auto found = seen_.find(lock);
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
  ++seen.doubtful;
  seen.doubt = doubt;
}

}  // namespace holdfast
