// Whether the moment that exclusion is about came up often enough for a `holds` to mean something: grants, attempts by
// others while somebody held, and, where faults were planned, a grant that was live while one acted. An acquire that
// was not granted may have taken effect all the same when it, or one of its statements, got no answer: one that met a
// fault counts as well, for a lost reply is just that moment.
#pragma once

#include <vector>

#include "checker/property.hpp"

namespace holdfast {

class HoldExposure {
 public:
  explicit HoldExposure(const PropertyContext& context) : context_(context) {}
  void granted(const Tenure& tenure);
  void ended(const Tenure& tenure);
  void event(const Event& event);

  // Adds the counts, and turns `holds` into `not_exercised` where they are too small.
  void judge(PropertyVerdict& verdict) const;

 private:
  PropertyContext context_;
  std::int64_t grants_ = 0;
  std::int64_t late_grants_ = 0;
  std::int64_t attempts_in_hold_ = 0;
  std::int64_t grants_under_fault_ = 0;
  std::vector<std::int64_t> asked_ns_;  // by process: when its open acquire was sent; -1: none is
};

}  // namespace holdfast
