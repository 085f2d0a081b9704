// What a fake world remembers of its server.
#pragma once

#include <cstdint>
#include <string>

namespace holdfast {

struct FakeServer {
  char state = 'S';
  std::int64_t process = 40;
  std::int64_t offset_ns = 0;
  std::int64_t drift_ppm = 0;
  bool replicates = true;
  bool promoted = false;
  bool apart = false;
  std::int64_t drift_since_ns = 0;
};

}  // namespace holdfast
