// Runs that never happened, for tests of what people read: every outcome, an overlap after a pause, names that attack.
#pragma once

#include <string>

#include "reports/page.hpp"

namespace holdfast::made_up {

// A timeline in which client 3 is stopped past its lease on "orders" and overlaps client 7 by 812 ms.
Timeline overlap_timeline();
Witness overlap_witness();

TrialVerdict holding_trial(const std::string& lock, const std::string& scenario);
TrialVerdict overlapping_trial(const std::string& lock, const std::string& scenario);

// Four locks under five scenarios: each outcome occurs; nowait_lease/skew is the unexpected one.
PageInput failing_run(int trials = 1);
PageInput passing_run();
PageInput allowed_run();  // one lock that keeps its promises, and is violated under pause and partition as is allowed
PageInput interrupted_run();

// Every text that can come from outside is this one.
inline constexpr const char* kHostile =
    "</script><img src=x onerror=window.attacked=1>\" ' & \x1b[2J \xff\xfe \xe2\x80\xae \n end";
PageInput hostile_run(const std::string& text = kHostile);
// Where no trial came to a verdict; and of simulated clients.
PageInput hostile_error(const std::string& text, Outcome outcome);
PageInput hostile_search(const std::string& text);

}  // namespace holdfast::made_up
