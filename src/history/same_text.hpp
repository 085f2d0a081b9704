// Compares two short texts in place, eight bytes at a time: names are compared for each line, and a function call would
// cost more than the comparison.
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
  // The last eight bytes may overlap the previous ones.
  const std::size_t last = size - sizeof(std::uint64_t);
  std::size_t at = 0;
  while (at < last && eight_bytes(a.data() + at) == eight_bytes(b.data() + at)) at += sizeof(std::uint64_t);
  return at >= last && eight_bytes(a.data() + last) == eight_bytes(b.data() + last);
}

}  // namespace holdfast
