#include "checker/observations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "checker/model.hpp"

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

constexpr std::size_t kMost = 4000;  // of each kind; still few enough to draw and to read
constexpr std::size_t kMostFaults = 1000;

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
      free_(
          context, [this](const FreeRefusals& r) { refused_free_ += r.count; }, [](const std::string&) {}),
      losses_(context, [this](const LossNotice& one) { lost(one); }),
      overtakes_(0, *this) {
  context_.busy->report_to([this](const Refusal&) { ++measures_.spurious_refusals; });
}

void MeasuresRecord::lost(const LossNotice& notice) {
  ++measures_.former_holders;
  if (!notice.told) {
    ++measures_.never_told;
    return;
  }
  notices_.add(notice.lasted_ns());
  measures_.loss_notice_max_ns = std::max(measures_.loss_notice_max_ns, notice.lasted_ns());
}

void MeasuresRecord::waited(const Waited& one, const std::vector<Overtaking>&) {
  measures_.most_overtaken = std::max(measures_.most_overtaken, one.overtaken);
  if (!one.answered() && one.overtaken > 0) ++measures_.starved;
}

void MeasuresRecord::granted(const Hold& hold) {
  if (!context_.header.foreign) free_.granted(hold);
  if (!context_.header.foreign) losses_.granted(hold);
  Wait& wait = wait_[hold.client];
  if (wait.waiting && wait.key == hold.key) {
    waits_.add(hold.granted_ns - wait.since_ns);
    measures_.wait_max_ns = std::max(measures_.wait_max_ns, hold.granted_ns - wait.since_ns);
  }
  wait.waiting = false;
}

void MeasuresRecord::ended(const Hold& hold) {
  if (context_.header.foreign) return;
  free_.ended(hold);
  losses_.ended(hold);
}

void MeasuresRecord::event_of_run(const Event& event) {
  free_.event(event);
  losses_.event(event);
}

void MeasuresRecord::called(const Event& event) {
  ++measures_.operations;
  if (event.op != Op::acquire) return;
  overtakes_.asked(event);
  Wait& wait = wait_[event.client];
  if (!wait.waiting || wait.key != event.key) wait = {true, event.key, event.time_ns};
}

void MeasuresRecord::acquired(const Event& answer) {
  overtakes_.answered(answer, context_.holds.operation());
  if (answer.type == EventType::ok) ++measures_.grants;
  if (answer.type == EventType::fail && answer.reason == Reason::busy) ++measures_.refusals;
}

Measures MeasuresRecord::finish() {
  free_.finish();
  overtakes_.finish();
  measures_.spurious_refusals = std::max(measures_.spurious_refusals, refused_free_);
  context_.holds.each_open([&](std::uint32_t, const Operation&) { ++measures_.indeterminate; });
  measures_.wait_p50_ns = waits_.percentile(0.50);
  measures_.wait_p99_ns = waits_.percentile(0.99);
  measures_.loss_notice_p50_ns = notices_.percentile(0.50);
  return measures_;
}

// Before a violation the oldest make room for the newest, in the first half; from it on the second half fills and
// stays.
template <typename Item>
void TimelineRecord::add(Row<Item>& row, const Item& item, bool violated) {
  if (!violated && row.count >= kMost / 2) {
    cut_ = true;
    row.items[row.first] = item;
    row.first = row.first + 1 == row.count ? 0 : row.first + 1;
    return;
  }
  if (row.count >= kMost) {
    cut_ = true;
    return;
  }
  if (row.first != 0) {
    std::rotate(row.items.begin(), row.items.begin() + static_cast<std::ptrdiff_t>(row.first), row.items.end());
    row.first = 0;
  }
  row.items.push_back(item);
  ++row.count;
}

void TimelineRecord::ended(const Hold& hold, bool violated) {
  const std::int64_t to_ns = std::min(hold.ended_ns, context_.holds.now_ns());
  const std::int64_t lease_end_ns = hold.valid.to_ns == kNever ? 0 : hold.valid.to_ns;
  const Held held{hold.client,  hold.key,         hold.granted_ns, to_ns,
                  lease_end_ns, hold.grant_index, hold.end_index,  context_.story.doubts(hold)};
  add(held_, held, violated);
}

void TimelineRecord::event(const Event& event, bool violated) {
  const Wrote wrote{event.client, event.key, event.time_ns, event.type, event.index};
  add(wrote_, wrote, violated);
}

Timeline TimelineRecord::finish() {
  Timeline timeline;
  timeline.end_ns = context_.holds.now_ns();
  timeline.cut = cut_;
  const auto& keys = context_.names.keys;
  held_.each([&](const Held& h) {
    timeline.spans.push_back(
        {h.client, keys.at(h.key), h.from_ns, h.to_ns, h.lease_end_ns, h.grant_index, h.end_index, h.doubts});
  });
  std::stable_sort(timeline.spans.begin(), timeline.spans.end(),
                   [](const Span& a, const Span& b) { return a.from_ns < b.from_ns; });
  wrote_.each([&](const Wrote& w) {
    timeline.writes.push_back({w.client, keys.at(w.key), w.time_ns, to_text(w.type), w.index});
  });
  for (const FaultRecord& fault : context_.faults.all()) {
    const std::size_t number = timeline.faults.size();
    if (timeline.faults.size() == kMostFaults) timeline.cut = true;
    if (timeline.faults.size() == kMostFaults) break;
    timeline.faults.push_back({fault.name, fault.clients, fault.begin_ns, std::min(fault.end_ns, timeline.end_ns),
                               fault.detail, fault.cause, context_.struck.of_fault(number),
                               context_.struck.holders(number)});
  }
  return timeline;
}

Unjudged::Unjudged(const PropertyContext& context)
    : context_(context),
      tokens_are_judged_(judges_tokens(context.header.model)),
      leases_are_judged_(judges_leases(context.header.model)),
      judges_owners_(judges_owners(context.header.model)) {}

void Unjudged::see(Seen& seen, std::uint64_t index, std::uint64_t after) {
  if (seen.count++ > 0) return;
  seen.first = index;
  seen.after = after;
}

void Unjudged::answered(const Event& event) {
  if (event.op == Op::release) return;
  if (event.op == Op::acquire && event.type == EventType::ok) {
    if (event.token && !tokens_are_judged_) granted(event);
    if (event.lease_ns.value_or(0) > 0 && !leases_are_judged_) ++with_lease_;
    return;
  }
  if (event.op == Op::acquire && event.type == EventType::fail && event.reason == Reason::none) {
    see(without_reason_, event.index);
  }
  const bool renewed = event.op == Op::renew && event.type == EventType::ok;
  if (renewed && !judges_owners_ && context_.holds.operation().hold == nullptr) see(renewed_nothing_, event.index);
}

// The order of two grants that were asked for at one time is not known.
void Unjudged::granted(const Event& event) {
  ++with_token_;
  LatestToken& tokens = tokens_[event.key];
  const std::int64_t asked_ns = context_.holds.operation().invoked_ns;
  const Token* before = tokens.largest_before(asked_ns);
  const bool before_it = before != nullptr && before->seen_ns < asked_ns;
  if (before_it && before->value > *event.token) see(falling_, event.index, before->index);
  tokens.add({*event.token, asked_ns, event.time_ns, event.process, event.client, event.index}, event.time_ns);
}

// No other model can replace one whose holders do not exclude each other.
void Unjudged::tell_tokens(std::vector<std::string>& out) const {
  if (with_token_ == 0) return;
  const std::string& model = context_.header.model;
  const std::string would = is_model_of_one_holder(model) ? ", --model fenced would" : "";
  if (falling_.count > 0) {
    out.push_back(fmt::format("tokens decrease {} times, first at #{} after #{}; model {} does not judge them{}",
                              falling_.count, falling_.first, falling_.after, model, would));
    return;
  }
  out.push_back(fmt::format("{} grants have a token; model {} does not judge tokens{}", with_token_, model, would));
}

void Unjudged::tell_leases(std::vector<std::string>& out) const {
  if (with_lease_ == 0) return;
  const std::string& model = context_.header.model;
  const char* would = is_model_of_one_holder(model) ? ", --model lease would" : "";
  out.push_back(fmt::format("{} grants have a lease; model {} does not judge leases{}", with_lease_, model, would));
}

std::vector<std::string> Unjudged::told() const {
  std::vector<std::string> out;
  tell_tokens(out);
  tell_leases(out);
  if (without_reason_.count > 0) {
    out.push_back(
        fmt::format("{} failed acquires give no reason (first #{}); only \"busy\" says that another process held the "
                    "lock, and only that is judged",
                    without_reason_.count, without_reason_.first));
  }
  if (renewed_nothing_.count > 0) {
    out.push_back(
        fmt::format("{} renewals by processes that were not known to hold the lock were answered ok (first #{}); this "
                    "is not judged",
                    renewed_nothing_.count, renewed_nothing_.first));
  }
  return out;
}

}  // namespace holdfast
