#include "checker/measures_record.hpp"

#include <algorithm>
#include <bit>

namespace holdfast {
namespace {

constexpr int kBits = 6;  // 64 buckets for every doubling

// The number of the bucket of a value: below 64 the value itself, then 64 steps from each power of two to the next.
std::size_t bucket(std::uint64_t value) {
  const int width = static_cast<int>(std::bit_width(value));
  if (width <= kBits) return value;
  const int shift = width - kBits - 1;
  return (static_cast<std::size_t>(shift + 1) << kBits) + ((value >> shift) & ((1u << kBits) - 1));
}

std::int64_t lower_bound(std::size_t number) {
  if (number < (1u << kBits)) return static_cast<std::int64_t>(number);
  const std::size_t shift = (number >> kBits) - 1;
  return static_cast<std::int64_t>(((1u << kBits) + (number & ((1u << kBits) - 1))) << shift);
}

}  // namespace

void WaitHistogram::add(std::int64_t ns) {
  ++counts_.at(bucket(static_cast<std::uint64_t>(ns)));
  ++total_;
}

std::int64_t WaitHistogram::percentile(double share) const {
  std::int64_t below = 0;
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    below += counts_[i];
    if (counts_[i] > 0 && static_cast<double>(below) >= share * static_cast<double>(total_)) return lower_bound(i);
  }
  return 0;
}

MeasuresRecord::MeasuresRecord(const PropertyContext& context)
    : context_(context),
      busy_(context, [this](const Refusal&) { ++measures_.spurious_refusals; }),
      free_(
          context, [this](const FreeRefusals& r) { refused_free_ += r.count; }, [](const std::string&) {}) {}

void MeasuresRecord::granted(const Hold& hold) {
  busy_.granted(hold);
  if (!context_.header.foreign) free_.granted(hold);
  if (hold.client >= wait_.size()) return;
  Wait& wait = wait_[hold.client];
  if (wait.waiting && wait.key == hold.key) waits_.add(hold.granted_ns - wait.since_ns);
  wait.waiting = false;
}

void MeasuresRecord::ended(const Hold& hold) {
  busy_.ended(hold);
  if (!context_.header.foreign) free_.ended(hold);
}

void MeasuresRecord::event(const Event& event) {
  busy_.event(event);
  if (!context_.header.foreign) free_.event(event);
  if (event.actor != Actor::client || event.op == Op::leave) return;
  event.type == EventType::invoke ? invoked(event) : completed(event);
}

void MeasuresRecord::invoked(const Event& event) {
  ++measures_.operations;
  if (event.op != Op::acquire) return;
  if (event.client >= wait_.size()) wait_.resize(event.client + 1);
  Wait& wait = wait_[event.client];
  if (!wait.waiting || wait.key != event.key) wait = {true, event.key, event.time_ns};
}

void MeasuresRecord::completed(const Event& event) {
  if (event.type == EventType::info) ++measures_.indeterminate;
  if (event.type == EventType::fail && event.reason == Reason::conflict) ++measures_.conflicts;
  if (event.op != Op::acquire) return;
  if (event.type == EventType::ok) ++measures_.grants;
  if (event.type == EventType::fail && event.reason == Reason::busy) ++measures_.refusals;
}

Measures MeasuresRecord::finish() {
  busy_.finish();
  free_.finish();
  measures_.spurious_refusals = std::max(measures_.spurious_refusals, refused_free_);
  context_.holds.each_open([&](std::uint32_t, const Operation&) { ++measures_.indeterminate; });
  measures_.wait_p50_ns = waits_.percentile(0.50);
  measures_.wait_p99_ns = waits_.percentile(0.99);
  return measures_;
}

}  // namespace holdfast
