#include "virtual_time/passing_time.hpp"

#include <algorithm>

namespace holdfast {

void PassingTime::pass(std::int64_t used_ns, std::int64_t host_ns) {
  const std::int64_t now_ns = std::min(used_ns, host_ns - counted_until_ns_);
  const bool counts = counted_until_ns_ > 0 && now_ns > 0;
  counted_until_ns_ = host_ns;
  if (!counts || clock_.work_takes_no_time()) return;
  clock_.advance_to(clock_.now_ns() + now_ns);
  passed_ns_ += now_ns;
}

}  // namespace holdfast
