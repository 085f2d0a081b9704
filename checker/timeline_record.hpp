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
  void ended(const Tenure& tenure, bool violated);
  void event(const Event& event, bool violated);
  Timeline finish();

 private:
  template <typename Item>
  void add(std::deque<Item>& items, Item item, bool violated);

  PropertyContext context_;
  bool cut_ = false;
  std::deque<Span> spans_;
  std::deque<WriteMark> writes_;
};

}  // namespace holdfast
