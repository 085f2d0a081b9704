#include "compare/envelope_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "artifact/error.hpp"
#include "artifact/json_text.hpp"
#include "artifact/property_words.hpp"
#include "compare/envelope.hpp"

namespace holdfast {
namespace {

constexpr int kBetween = 3;

struct TrialAnswer {
  AtAmount answer = AtAmount::holds;
  std::string reason;
};

// Without these properties nothing was tested. Others (a renewal after a lapse) need situations that may not occur.
bool must_be_exercised(const std::string& property, const std::vector<std::string>& judged) {
  return judged.size() == 1 || concerns(property, Concerns::holders) || concerns(property, Concerns::data);
}

bool contains(const std::vector<std::string>& all, const std::string& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

TrialAnswer undecided(const std::string& why) {
  return {AtAmount::undecided, why};
}

// A fault cut short by the trial's end did not have the requested amount.
TrialAnswer coverage_of(std::int64_t amount, const AskedLength& asked, const TrialRecord& trial) {
  if (amount == 0) return {};
  if (trial.shown.faults.empty()) return undecided("the fault never acted");
  std::int64_t longest_ns = 0;
  for (const auto& fault : trial.shown.faults) {
    if (fault.fault == asked.fault) longest_ns = std::max(longest_ns, fault.to_ns - fault.from_ns);
  }
  if (longest_ns < asked.lasts_ms * 1'000'000) {
    return undecided(fmt::format("the fault lasted only {} ms; remedy: a longer duration_ms", longest_ns / 1'000'000));
  }
  if (trial.service.struck_grants + trial.service.struck_attempts_in_hold > 0) return {};
  return undecided(
      "the dangerous moment never came: the fault struck a client that neither held the lock nor asked for it while "
      "another client held it");
}

TrialAnswer answer_of(std::int64_t amount, const AskedLength& asked, const TrialRecord& trial,
                      const std::vector<std::string>& judged) {
  if (trial.shown.state != TrialState::judged) return undecided(trial.shown.error);
  TrialAnswer out;
  bool some = false;
  for (const auto& p : trial.shown.properties) {
    if (!contains(judged, p.property)) continue;
    if (p.judgement == Judgement::violated) return {AtAmount::violated, p.text};
    const bool idle = p.judgement == Judgement::not_exercised && must_be_exercised(p.property, judged);
    some = some || p.judgement == Judgement::holds;
    if (p.judgement == Judgement::undecided || idle) out = undecided(p.property + ": " + p.text);
  }
  if (out.answer != AtAmount::holds) return out;
  if (!some) return undecided("the lock makes no promise that is judged");
  return coverage_of(amount, asked, trial);
}

// Counts each property and kind once per trial.
void count_violations(const TrialRecord& trial, const std::vector<std::string>& judged, EnvelopePoint& point) {
  for (const auto& p : trial.shown.properties) {
    if (p.judgement != Judgement::violated || !contains(judged, p.property)) continue;
    for (const auto& [kind, count] : p.kinds) ++point.violations[p.property + " " + kind];
  }
}

}  // namespace

EnvelopeSearch::EnvelopeSearch(std::int64_t most, std::int64_t step)
    : most_(std::max<std::int64_t>(1, most)), step_(std::clamp<std::int64_t>(step, 1, most_)) {}

std::vector<std::int64_t> EnvelopeSearch::ladder() const {
  std::vector<std::int64_t> out{0};
  for (std::int64_t amount = step_; amount < most_; amount *= 2) out.push_back(amount);
  out.push_back(most_);
  return out;
}

std::optional<std::int64_t> EnvelopeSearch::smallest_violated() const {
  for (const auto& [amount, answer] : told_) {
    if (answer == AtAmount::violated) return amount;
  }
  return std::nullopt;
}

std::optional<std::int64_t> EnvelopeSearch::largest_holding_below(std::int64_t limit) const {
  std::optional<std::int64_t> out;
  for (const auto& [amount, answer] : told_) {
    if (answer == AtAmount::holds && amount < limit) out = amount;
  }
  return out;
}

// Whole steps from `low`, strictly between.
void EnvelopeSearch::add_between(std::int64_t low, std::int64_t high, std::vector<std::int64_t>& out) const {
  for (int i = 1; i <= kBetween; ++i) {
    const std::int64_t part = (high - low) * i / (kBetween + 1);
    const std::int64_t amount = low + (part + step_ - 1) / step_ * step_;
    if (amount > low && amount < high && told_.count(amount) == 0) out.push_back(amount);
  }
}

// If undecided amounts lie between the ends of the bracket, each end is searched separately.
std::vector<std::int64_t> EnvelopeSearch::next() const {
  if (told_.empty()) return ladder();
  const auto violated = smallest_violated();
  if (!violated || *violated == 0) return {};
  const std::int64_t low = largest_holding_below(*violated).value_or(0);
  std::vector<std::int64_t> out;
  add_between(low, told_.upper_bound(low)->first, out);
  add_between(std::prev(told_.find(*violated))->first, *violated, out);
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

EnvelopeBracket EnvelopeSearch::bracket() const {
  EnvelopeBracket out;
  out.violated_at = smallest_violated();
  const std::int64_t limit = out.violated_at.value_or(most_ + 1);
  out.holds_at = largest_holding_below(limit);
  for (const auto& [amount, answer] : told_) {
    const bool above = !out.holds_at || amount > *out.holds_at;
    if (answer == AtAmount::undecided && above && amount < limit) out.undecided.push_back(amount);
    if (answer == AtAmount::holds && amount > limit) out.holds_beyond.push_back(amount);
  }
  return out;
}

std::vector<std::string> envelope_properties(const std::string& only) {
  std::vector<std::string> all = promisable_properties();
  if (!only.empty()) {
    if (!contains(all, only)) throw BadInput("--property: " + unknown_word("property", only, all));
    return {only};
  }
  std::erase_if(all, [](const std::string& property) {
    return concerns(property, Concerns::waiters) || concerns(property, Concerns::author);
  });
  return all;
}

EnvelopePoint point_of(std::int64_t amount, const AskedLength& asked, const std::vector<TrialRecord>& trials,
                       const std::vector<std::string>& properties) {
  EnvelopePoint point;
  point.amount = amount;
  AtAmount worst = AtAmount::holds;
  for (const auto& trial : trials) {
    ++point.trials;
    point.folders.push_back(trial.shown.folder);
    if (point.measured.empty() && !trial.shown.faults.empty()) point.measured = trial.shown.faults.front().detail;
    const TrialAnswer one = answer_of(amount, asked, trial, properties);
    point.unavailable += trial.shown.state == TrialState::unavailable ? 1 : 0;
    point.errors += trial.shown.state == TrialState::harness_error ? 1 : 0;
    point.held += one.answer == AtAmount::holds ? 1 : 0;
    point.violated += one.answer == AtAmount::violated ? 1 : 0;
    if (one.answer == AtAmount::violated) count_violations(trial, properties, point);
    const bool more_severe = one.answer == AtAmount::violated
                                 ? worst != AtAmount::violated
                                 : one.answer != AtAmount::holds && worst == AtAmount::holds;
    if (!more_severe) continue;
    worst = one.answer;
    point.reason = one.reason;
  }
  point.answer = trials.empty() ? AtAmount::undecided : worst;
  return point;
}

int exit_code_of(const EnvelopeRun& run) {
  if (run.interrupted) return kExitInterrupted;
  bool judged = false;
  bool open = false;
  bool broken = false;
  bool none_ran = false;
  for (const auto& envelope : run.envelopes) {
    for (const auto& point : envelope.points) {
      judged = judged || point.held + point.violated > 0;
      broken = broken || point.errors > 0;
      none_ran = none_ran || (point.trials > 0 && point.unavailable == point.trials);
    }
    open = open || !envelope.bracket.undecided.empty() || (!envelope.bracket.holds_at && !envelope.bracket.violated_at);
  }
  if (!judged && broken) return kExitHarness;
  if (!judged && none_ran) return kExitUnavailable;
  return open ? kExitUndecided : kExitAsExpected;
}

}  // namespace holdfast
