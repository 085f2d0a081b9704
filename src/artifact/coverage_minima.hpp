// The smallest counts that make a property's `holds` worth something; a scenario may state smaller ones.
#pragma once

#include <cstdint>

namespace holdfast {

struct CoverageMinima {
  std::int64_t grants = 20;
  std::int64_t attempts_in_hold = 5;
};

}  // namespace holdfast
