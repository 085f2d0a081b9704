// Fills a verdict's timeline: what each client believed and when, the faults, the writes. Of a long history only a part
// is kept: the first violation's neighbourhood, or the end when there is none.
#pragma once

#include <deque>

#include "artifact/verdict.hpp"
#include "checker/property.hpp"

namespace holdfast {

class TimelineRecord {
 public:
  explicit TimelineRecord(const PropertyContext& context) : context_(context) {}

  static bool shows(const Event& event);  // only such events are wanted

  // `violated`: whether a violation has been seen by now.
  void ended(const Hold& hold, bool violated);
  void event(const Event& event, bool violated);
  Timeline finish();

 private:
  // As a verdict's Span and WriteMark, but without words: most are let go again.
  struct Held {
    std::uint32_t client = 0;
    std::uint32_t key = 0;
    std::int64_t from_ns = 0;
    std::int64_t to_ns = 0;
    std::int64_t lease_end_ns = 0;
    std::uint64_t grant_index = 0;
    std::uint64_t end_index = 0;
  };
  struct Wrote {
    std::uint32_t client = 0;
    std::uint32_t key = 0;
    std::int64_t time_ns = 0;
    EventType type = EventType::ok;
    std::uint64_t index = 0;
  };
  template <typename Item>
  void add(std::deque<Item>& items, const Item& item, bool violated);

  PropertyContext context_;
  bool cut_ = false;
  std::deque<Held> held_;
  std::deque<Wrote> wrote_;
};

}  // namespace holdfast
