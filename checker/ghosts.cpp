#include "checker/ghosts.hpp"

#include <algorithm>

namespace holdfast {

void Ghosts::appeared(std::uint32_t process, std::int64_t acquire_invoked_ns) {
  vanished(process);
  uncertain_[process] = acquire_invoked_ns;
  invoked_ns_.insert(std::upper_bound(invoked_ns_.begin(), invoked_ns_.end(), acquire_invoked_ns), acquire_invoked_ns);
}

void Ghosts::vanished(std::uint32_t process) {
  const auto ghost = uncertain_.find(process);
  if (ghost == uncertain_.end()) return;
  invoked_ns_.erase(std::lower_bound(invoked_ns_.begin(), invoked_ns_.end(), ghost->second));
  uncertain_.erase(ghost);
}

void Ghosts::release_invoked(std::uint32_t process) {
  const auto ghost = uncertain_.find(process);
  if (ghost == uncertain_.end()) return;
  cleaned_.push_back({process, ghost->second, kNever});
  vanished(process);
}

Ghosts::CleanUp Ghosts::release_answered(std::uint32_t process, std::int64_t invoked_ns, std::int64_t answered_ns,
                                         bool not_held, bool leased, std::int64_t& acquire_invoked_ns) {
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

void Ghosts::forget_before(std::int64_t time_ns) {
  const auto over = [&](const Cleaned& c) { return c.to_ns < time_ns; };
  cleaned_.erase(std::remove_if(cleaned_.begin(), cleaned_.end(), over), cleaned_.end());
}

std::ptrdiff_t Ghosts::may_hold_for_ever(std::int64_t by_ns) const {
  return std::upper_bound(invoked_ns_.begin(), invoked_ns_.end(), by_ns) - invoked_ns_.begin();
}

bool Ghosts::cleaned_up_within(std::int64_t from_ns, std::int64_t to_ns) const {
  return std::any_of(cleaned_.begin(), cleaned_.end(),
                     [&](const Cleaned& c) { return c.from_ns <= to_ns && c.to_ns >= from_ns && c.to_ns != kNever; });
}

bool Ghosts::may_clean_up_within(std::int64_t from_ns, std::int64_t to_ns) const {
  return std::any_of(cleaned_.begin(), cleaned_.end(),
                     [&](const Cleaned& c) { return c.from_ns <= to_ns && c.to_ns >= from_ns; });
}

}  // namespace holdfast
