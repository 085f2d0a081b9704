// Notices when the machine itself stood still: a look that comes much later than it was due means that processes here
// got no processor, and a lease that lapsed then proves nothing about the lock.
#pragma once

#include <cstdint>
#include <vector>

#include "artifact/event.hpp"

namespace holdfast {

class StallMeter {
 public:
  explicit StallMeter(std::int64_t zero_ns);
  void look();  // call it every few milliseconds
  const std::vector<Event>& events() const { return events_; }

 private:
  std::int64_t zero_ns_;
  std::int64_t last_ns_;
  std::vector<Event> events_;
};

}  // namespace holdfast
