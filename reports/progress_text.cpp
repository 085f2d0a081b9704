#include "reports/progress_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "reports/durations.hpp"

namespace holdfast {
namespace {

std::int64_t whole_seconds(ProgressClock::duration time) {
  return std::chrono::duration_cast<std::chrono::seconds>(time).count();
}

// Nothing before the first trial has ended: its length is all that is known of the others.
std::string rest_text(const TrialProgress& progress, std::int64_t seconds) {
  if (progress.done == 0 || progress.done >= progress.trials) return "";
  const auto rest = static_cast<std::int64_t>(progress.trials - progress.done);
  const auto left = seconds * rest / static_cast<std::int64_t>(progress.done);
  return left == 0 ? "" : ", about " + wall_text(static_cast<double>(left)) + " left";
}

}  // namespace

std::string progress_text(const TrialProgress& progress, ProgressClock::duration since_begin) {
  const std::int64_t seconds = whole_seconds(since_begin);
  return fmt::format("{} of {} trials, {} s{}{}{}", progress.done, progress.trials, seconds,
                     rest_text(progress, seconds), progress.last.empty() ? "" : "; last: ", progress.last);
}

std::string slowest_trials(const RunVerdict& verdict) {
  constexpr std::size_t kNamed = 3;
  std::vector<std::pair<double, std::string>> all;
  for (const auto& cell : verdict.cells) {
    for (const auto& trial : cell.trials) all.emplace_back(trial.seconds, cell.lock + "/" + cell.scenario);
  }
  if (all.size() <= kNamed) return "";
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::string out;
  for (std::size_t i = 0; i < kNamed; ++i) {
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", all[i].second, wall_text(all[i].first));
  }
  return out;
}

std::optional<std::string> RuleTimer::tries(const std::string& rule, ProgressClock::time_point now) {
  if (rule != rule_) {
    rule_ = rule;
    begin_ = shown_at_ = now;
  }
  if (now - shown_at_ < every_) return std::nullopt;
  shown_at_ = now;
  return fmt::format("{}: {} s", rule_.empty() ? "starting the server" : rule_, whole_seconds(now - begin_));
}

}  // namespace holdfast
