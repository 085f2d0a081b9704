#include "checker/ghosts.hpp"

#include <algorithm>

namespace holdfast {

void Ghosts::appeared(std::uint32_t process, std::int64_t acquire_invoked_ns) {
  uncertain_[process] = acquire_invoked_ns;
}

void Ghosts::release_invoked(std::uint32_t process) {
  const auto ghost = uncertain_.find(process);
  if (ghost == uncertain_.end()) return;
  cleaned_.push_back({process, ghost->second, kNever});
  uncertain_.erase(ghost);
}

Ghosts::CleanUp Ghosts::release_answered(std::uint32_t process, std::int64_t invoked_ns, std::int64_t answered_ns,
                                         bool not_held, bool leased, std::int64_t& acquire_invoked_ns) {
  const auto own = std::find_if(cleaned_.begin(), cleaned_.end(),
                                [&](const Cleaned& c) { return c.process == process && c.to_ns == kNever; });
  if (own == cleaned_.end()) return CleanUp::none;
  acquire_invoked_ns = own->from_ns;
  own->to_ns = answered_ns;
  if (!not_held) return CleanUp::proved;
  uncertain_[process] = leased ? own->from_ns : std::max(own->from_ns, invoked_ns);
  cleaned_.erase(own);
  return CleanUp::disproved;
}

void Ghosts::forget_before(std::int64_t time_ns) {
  const auto over = [&](const Cleaned& c) { return c.to_ns < time_ns; };
  cleaned_.erase(std::remove_if(cleaned_.begin(), cleaned_.end(), over), cleaned_.end());
}

std::ptrdiff_t Ghosts::may_hold_for_ever(std::int64_t by_ns) const {
  return std::count_if(uncertain_.begin(), uncertain_.end(), [&](const auto& ghost) { return ghost.second <= by_ns; });
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
