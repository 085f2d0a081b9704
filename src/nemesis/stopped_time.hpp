// Proves by its processor time that a process stayed stopped. A thread counts as stopped a little before it gives up
// its processor, so the time is settled only once two looks agree.
//
//   StoppedTime time;
//   if (time.look(ran_ns) == Look::over) ...   // it ran in between
#pragma once

#include <cstdint>

#include "nemesis/fault.hpp"

namespace holdfast {

class StoppedTime {
 public:
  Look look(std::int64_t ran_ns) {
    const bool same = !seen_ || ran_ns == ran_ns_;
    if (!same && settled_) return Look::over;
    settled_ = seen_ && same;
    seen_ = true;
    ran_ns_ = ran_ns;
    return same ? Look::in_force : Look::unclear;
  }

 private:
  std::int64_t ran_ns_ = 0;
  bool seen_ = false;
  bool settled_ = false;
};

}  // namespace holdfast
