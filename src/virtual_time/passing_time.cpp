#include "virtual_time/passing_time.hpp"

#include <algorithm>

namespace holdfast {

void PassingTime::pass(std::int64_t used_ns, std::int64_t host_ns) {
  const std::int64_t passed_ns = std::min(used_ns, host_ns - counted_until_ns_);
  if (counted_until_ns_ > 0 && passed_ns > 0) clock_.advance_to(clock_.now_ns() + passed_ns);
  counted_until_ns_ = host_ns;
}

}  // namespace holdfast
