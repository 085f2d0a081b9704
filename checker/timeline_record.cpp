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
void TimelineRecord::add(std::deque<Item>& items, const Item& item, bool violated) {
  if (items.size() >= kMost && violated) {
    cut_ = true;
    return;
  }
  items.push_back(item);
  if (!violated && items.size() > kMost / 2) {
    cut_ = true;
    items.pop_front();
  }
}

void TimelineRecord::ended(const Hold& hold, bool violated) {
  const std::int64_t to_ns = std::min(hold.ended_ns, context_.holds.now_ns());
  const std::int64_t lease_end_ns = hold.valid.to_ns == kNever ? 0 : hold.valid.to_ns;
  const Held held{hold.client, hold.key, hold.granted_ns, to_ns, lease_end_ns, hold.grant_index, hold.end_index};
  add(held_, held, violated);
}

bool TimelineRecord::shows(const Event& event) {
  return event.actor == Actor::client && event.op == Op::write && event.type != EventType::invoke;
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
  for (const Held& h : held_) {
    timeline.spans.push_back(
        {h.client, keys.at(h.key), h.from_ns, h.to_ns, h.lease_end_ns, h.grant_index, h.end_index});
  }
  std::stable_sort(timeline.spans.begin(), timeline.spans.end(),
                   [](const Span& a, const Span& b) { return a.from_ns < b.from_ns; });
  for (const Wrote& w : wrote_) {
    timeline.writes.push_back({w.client, keys.at(w.key), w.time_ns, to_text(w.type), w.index});
  }
  for (const FaultRecord& fault : context_.faults.all()) {
    if (timeline.faults.size() == kMostFaults) timeline.cut = true;
    if (timeline.faults.size() == kMostFaults) break;
    timeline.faults.push_back({fault.name, fault.clients, fault.begin_ns, std::min(fault.end_ns, timeline.end_ns),
                               fault.detail, fault.cause});
  }
  return timeline;
}

}  // namespace holdfast
