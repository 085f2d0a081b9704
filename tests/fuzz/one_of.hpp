// A fuzzer of several readers: the first byte of an input says which of them it is for, the rest is what it reads. Each
// refuses it clearly (BadInput, with words) or takes it, and demands what must be so then.
//
//   void plan(const std::string& text) { demand(read_plan(text) == ...); }
//   constexpr Reader kReaders[] = {{'p', plan}, ...};
//   extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
//     return holdfast::read_as_one_of(holdfast::kReaders, data, size);
//   }
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "artifact/error.hpp"

namespace holdfast {

inline void demand(bool what) {
  if (!what) std::abort();
}

struct Reader {
  char letter;
  void (*read)(const std::string& text);
};

template <std::size_t kCount>
int read_as_one_of(const Reader (&readers)[kCount], const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::string text(reinterpret_cast<const char*>(data + 1), size - 1);
  try {
    for (const Reader& reader : readers) {
      if (data[0] == static_cast<std::uint8_t>(reader.letter)) reader.read(text);
    }
  } catch (const BadInput& refused) {
    demand(*refused.what() != '\0');
  }
  return 0;
}

}  // namespace holdfast
