// Texts of progress lines, from given times: the commands own the clock and the terminal.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

#include "artifact/run_verdict.hpp"

namespace holdfast {

using ProgressClock = std::chrono::steady_clock;

struct TrialProgress {
  std::size_t done = 0;
  std::size_t trials = 0;
  std::string last;  // "insert_lease/pause caught"; empty: none has ended
};

// "12 of 70 trials, 30 s, about 2 m 25 s left; last: insert_lease/pause caught". There is no estimate before the first
// trial has ended.
std::string progress_text(const TrialProgress& progress, ProgressClock::duration since_begin);

// "ip_lease/pause 12.1 s, ..." the three trials that took longest; empty for a run with no more than three.
std::string slowest_trials(const RunVerdict& verdict);

// Decides when a rule that takes long gets a line of progress.
//
//   RuleTimer timer(std::chrono::seconds(1), now);
//   if (const auto line = timer.tries("reentrant", now)) ...   // "reentrant: 3 s"
class RuleTimer {
 public:
  RuleTimer(ProgressClock::duration every, ProgressClock::time_point begin)
      : every_(every), begin_(begin), shown_at_(begin) {}

  // The rule that is tried now; empty: the server starts. Returns the line if one is due.
  std::optional<std::string> tries(const std::string& rule, ProgressClock::time_point now);
  const std::string& rule() const { return rule_; }

 private:
  ProgressClock::duration every_;
  std::string rule_;
  ProgressClock::time_point begin_;
  ProgressClock::time_point shown_at_;
};

}  // namespace holdfast
