// Runs that never happened, for tests of what people read: every outcome, an overlap after a pause, names that attack.
#pragma once

#include <string>

#include "reports/format.hpp"
#include "reports/page.hpp"

namespace holdfast::made_up {

// A run, and what its page shows besides the verdict.
struct Page : PageFiles {
  RunVerdict run;
};
std::string page_of(const Page&);

// With its assessment, as formats take it; refers to both.
FormatInput format_input(const Page&, const RunAssessment&);

// A timeline in which client 3 is stopped past its lease on "orders" and overlaps client 7 by 812 ms.
Timeline overlap_timeline();
Witness overlap_witness();

TrialVerdict holding_trial(const std::string& lock, const std::string& scenario);
TrialVerdict overlapping_trial(const std::string& lock, const std::string& scenario);

// Four locks under five scenarios: each outcome occurs; nowait_lease/skew is the unexpected one.
Page failing_run(int trials = 1);
Page passing_run();
Page allowed_run();  // one lock that keeps its promises, and is violated under pause and partition as is allowed
Page broken_run();   // one lock that breaks a promise under skew, and is graded
Page interrupted_run();
Page explored_run();  // a search of the locks "a" and "b", each with a schedule of three steps
// lock_3/scenario_4 is unexpected
Page large_run(std::size_t locks = 26, std::size_t scenarios = 35);

// Every text that can come from outside is this one.
inline constexpr const char* kHostile =
    "</script><img src=x onerror=window.attacked=1>\" ' & \x1b[2J \xff\xfe \xe2\x80\xae \n end";
Page hostile_run(const std::string& text = kHostile);
// Pages of a trial without a verdict, and of simulated clients.
Page hostile_error(const std::string& text, Outcome outcome);
Page hostile_search(const std::string& text);

}  // namespace holdfast::made_up
