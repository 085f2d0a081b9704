#include "reports/packed_text.hpp"

#include <zlib.h>

#include <algorithm>
#include <cstdint>

#include "artifact/error.hpp"

namespace holdfast {

std::string base64(std::string_view bytes) {
  static constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const auto byte = [&](std::size_t i) {
    return i < bytes.size() ? std::uint32_t{static_cast<unsigned char>(bytes[i])} : 0U;
  };
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::uint32_t three = byte(i) << 16U | byte(i + 1) << 8U | byte(i + 2);
    const std::size_t known = std::min<std::size_t>(bytes.size() - i, 3);
    for (std::size_t digit = 0; digit < 4; ++digit) {
      out += digit <= known ? kDigits[three >> (18U - 6U * digit) & 63U] : '=';
    }
  }
  return out;
}

std::string bytes_of_hex(std::string_view digits) {
  const auto value = [](char c) { return static_cast<unsigned>(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10); };
  std::string out;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
    out += static_cast<char>(value(digits[i]) << 4U | value(digits[i + 1]));
  }
  return out;
}

PackedText packed_text(std::string_view text) {
  uLongf length = ::compressBound(text.size());
  std::string out(length, '\0');
  const int done = ::compress2(reinterpret_cast<Bytef*>(out.data()), &length,
                               reinterpret_cast<const Bytef*>(text.data()), text.size(), Z_BEST_COMPRESSION);
  if (done != Z_OK) throw HarnessError("cannot compress a page's data: zlib error " + std::to_string(done));
  out.resize(length);
  PackedText packed;
  packed.text_ = base64(out);
  return packed;
}

}  // namespace holdfast
