// The time of a schedule: microseconds from noon, as explore displays them, in whole milliseconds of the lab's clock
// since the schedule began. A schedule begins slightly after a millisecond of the wall clock, so that a server that
// truncates to milliseconds counts as the schedule does.
#pragma once

#include <cstdint>

namespace holdfast {

class RequestClock {
 public:
  explicit RequestClock(std::int64_t begin_us) : begin_us_(begin_us) {}

  void begin();  // sleeps until such a time
  std::int64_t now_us() const;
  std::int64_t ns_of(std::int64_t time_us) const;  // on the lab's CLOCK_MONOTONIC
  static void sleep_until(std::int64_t ns);

 private:
  std::int64_t begin_us_;
  std::int64_t zero_ns_ = 0;
};

}  // namespace holdfast
