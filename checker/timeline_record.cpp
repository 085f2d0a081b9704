#include "checker/timeline_record.hpp"

#include <algorithm>

namespace holdfast {
namespace {

constexpr std::size_t kMost = 4000;  // of each kind; what a page can still draw and a person still look at
constexpr std::size_t kMostFaults = 1000;

}  // namespace

// Before a violation the oldest make room for the newest, in the first half; from it on the second half fills and
// stays.
template <typename Item>
void TimelineRecord::add(std::deque<Item>& items, Item item, bool violated) {
  if (items.size() >= kMost && violated) {
    cut_ = true;
    return;
  }
  items.push_back(std::move(item));
  if (!violated && items.size() > kMost / 2) {
    cut_ = true;
    items.pop_front();
  }
}

void TimelineRecord::ended(const Tenure& tenure, bool violated) {
  Span span;
  span.client = tenure.client;
  span.key = context_.names.keys.at(tenure.key);
  span.from_ns = tenure.granted_ns;
  span.to_ns = std::min(tenure.ended_ns, context_.tenures.now_ns());
  span.lease_end_ns = tenure.valid.to_ns == kNever ? 0 : tenure.valid.to_ns;
  span.grant_index = tenure.grant_index;
  span.end_index = tenure.end_index;
  add(spans_, std::move(span), violated);
}

bool TimelineRecord::shows(const Event& event) {
  return event.actor == Actor::client && event.op == Op::write && event.type != EventType::invoke;
}

void TimelineRecord::event(const Event& event, bool violated) {
  WriteMark write{event.client, context_.names.keys.at(event.key), event.time_ns, to_text(event.type), event.index};
  add(writes_, std::move(write), violated);
}

Timeline TimelineRecord::finish() {
  Timeline timeline;
  timeline.end_ns = context_.tenures.now_ns();
  timeline.cut = cut_;
  timeline.spans.assign(spans_.begin(), spans_.end());
  std::stable_sort(timeline.spans.begin(), timeline.spans.end(),
                   [](const Span& a, const Span& b) { return a.from_ns < b.from_ns; });
  timeline.writes.assign(writes_.begin(), writes_.end());
  for (const FaultRecord& fault : context_.faults.all()) {
    if (timeline.faults.size() == kMostFaults) timeline.cut = true;
    if (timeline.faults.size() == kMostFaults) break;
    timeline.faults.push_back(
        {fault.name, fault.clients, fault.begin_ns, std::min(fault.end_ns, timeline.end_ns), fault.detail});
  }
  return timeline;
}

}  // namespace holdfast
