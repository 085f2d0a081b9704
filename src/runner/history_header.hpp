// What the checker must know of a trial besides its events: what the lock promises and what the scenario asks for.
#pragma once

#include <cstdint>

#include "artifact/plan.hpp"
#include "history/history_source.hpp"
#include "lock/lock.hpp"

namespace holdfast {

HistoryHeader history_header(const Plan& plan, const LockType& type, std::uint32_t clients);

}  // namespace holdfast
