#include "checker/indeterminate_acquires.hpp"

#include <algorithm>

namespace holdfast {

void IndeterminateAcquires::appeared(std::uint32_t process, std::int64_t acquire_invoked_ns) {
  vanished(process);
  uncertain_[process] = acquire_invoked_ns;
  invoked_ns_.insert(std::upper_bound(invoked_ns_.begin(), invoked_ns_.end(), acquire_invoked_ns), acquire_invoked_ns);
}

void IndeterminateAcquires::vanished(std::uint32_t process) {
  const auto acquire = uncertain_.find(process);
  if (acquire == uncertain_.end()) return;
  invoked_ns_.erase(std::lower_bound(invoked_ns_.begin(), invoked_ns_.end(), acquire->second));
  uncertain_.erase(acquire);
}

void IndeterminateAcquires::release_invoked(std::uint32_t process) {
  const auto acquire = uncertain_.find(process);
  if (acquire == uncertain_.end()) return;
  cleaned_.push_back({process, acquire->second, kNever});
  vanished(process);
}

IndeterminateAcquires::CleanUp IndeterminateAcquires::release_answered(std::uint32_t process, std::int64_t invoked_ns,
                                                                       std::int64_t answered_ns, bool not_held,
                                                                       bool leased, std::int64_t& acquire_invoked_ns) {
  const auto own = std::find_if(cleaned_.begin(), cleaned_.end(),
                                [&](const Cleaned& c) { return c.process == process && c.to_ns == kNever; });
  if (own == cleaned_.end()) return CleanUp::none;
  acquire_invoked_ns = own->from_ns;
  own->to_ns = answered_ns;
  if (!not_held) return CleanUp::proved;
  appeared(process, leased ? own->from_ns : std::max(own->from_ns, invoked_ns));
  cleaned_.erase(own);
  return CleanUp::disproved;
}

void IndeterminateAcquires::forget_before(std::int64_t time_ns) {
  const auto over = [&](const Cleaned& c) { return c.to_ns < time_ns; };
  cleaned_.erase(std::remove_if(cleaned_.begin(), cleaned_.end(), over), cleaned_.end());
}

std::ptrdiff_t IndeterminateAcquires::may_hold_for_ever(std::int64_t by_ns) const {
  return std::upper_bound(invoked_ns_.begin(), invoked_ns_.end(), by_ns) - invoked_ns_.begin();
}

bool IndeterminateAcquires::cleaned_up_within(std::int64_t from_ns, std::int64_t to_ns) const {
  return std::any_of(cleaned_.begin(), cleaned_.end(),
                     [&](const Cleaned& c) { return c.from_ns <= to_ns && c.to_ns >= from_ns && c.to_ns != kNever; });
}

bool IndeterminateAcquires::may_clean_up_within(std::int64_t from_ns, std::int64_t to_ns) const {
  return std::any_of(cleaned_.begin(), cleaned_.end(),
                     [&](const Cleaned& c) { return c.from_ns <= to_ns && c.to_ns >= from_ns; });
}

}  // namespace holdfast
