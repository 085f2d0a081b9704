#include "compare/envelope_search.hpp"

#include <algorithm>
#include <iterator>

namespace holdfast {
namespace {

constexpr int kBetween = 3;

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

// Where undecided amounts lie between the two ends of the bracket, each end is looked for on its own.
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

}  // namespace holdfast
