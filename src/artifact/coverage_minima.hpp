// Minimum counts for a property's `holds` to mean something; a scenario may set lower ones.
#pragma once

#include <cstdint>

namespace holdfast {

struct CoverageMinima {
  std::int64_t grants = 20;
  std::int64_t attempts_in_hold = 5;
};

}  // namespace holdfast
