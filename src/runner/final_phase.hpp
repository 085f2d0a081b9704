// The end of a trial, when everything is healed: how long it is, and what shows that the lock goes on.
//
// It begins when everything is healed and a client waits: progress is judged from a moment when somebody does. It ends
// when every key was granted again, to whomever, or when the bound is over.
#pragma once

#include <cstdint>

#include "artifact/plan.hpp"
#include "control/control_page.hpp"
#include "lock/lock.hpp"

namespace holdfast {

// As long as a sound lock may need to be granted again, and a little more.
std::int64_t final_phase_ns(const Plan& plan, const LockType& type);

bool anyone_was_refused(const ControlPage& page);
bool all_granted_since(const ControlPage& page, std::int64_t keys, std::int64_t since_ns);

}  // namespace holdfast
