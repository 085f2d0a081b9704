// Whether two short texts are the same, eight bytes at a time where they lie: names are compared for each line, and a
// call for each costs more than the comparison.
#pragma once

#include <cstddef>
#include <string_view>

#include "history/plain_digits.hpp"

namespace holdfast {

inline bool same_text(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  const std::size_t size = a.size();
  if (size < sizeof(std::uint64_t)) {
    std::size_t at = 0;
    while (at < size && a[at] == b[at]) ++at;
    return at == size;
  }
  // The last eight bytes may be some of those before.
  const std::size_t last = size - sizeof(std::uint64_t);
  std::size_t at = 0;
  while (at < last && eight_bytes(a.data() + at) == eight_bytes(b.data() + at)) at += sizeof(std::uint64_t);
  return at >= last && eight_bytes(a.data() + last) == eight_bytes(b.data() + last);
}

}  // namespace holdfast
