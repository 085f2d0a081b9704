#include "artifact/escaped_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "artifact/visible.hpp"

namespace holdfast {
namespace {

unsigned byte_of(char c) {
  return static_cast<unsigned char>(c);
}

bool may_hide(char c) {
  return byte_of(c) >= 0x7F;
}

unsigned point_of(std::string_view character) {
  if (character.size() == 1) return byte_of(character[0]);
  unsigned point = byte_of(character[0]) & (0x7FU >> character.size());
  for (const char c : character.substr(1)) point = point << 6U | (byte_of(c) & 0x3FU);
  return point;
}

// JSON has escapes of 16 bits: a character beyond them takes two.
std::string escape_of(unsigned point) {
  if (point < 0x10000) return fmt::format("\\u{:04X}", point);
  const unsigned beyond = point - 0x10000;
  return fmt::format("\\u{:04X}\\u{:04X}", 0xD800U + (beyond >> 10U), 0xDC00U + (beyond & 0x3FFU));
}

}  // namespace

std::string escaped_json(std::string json) {
  if (std::none_of(json.begin(), json.end(), may_hide)) return json;
  const std::string_view text = json;
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view character = text.substr(at, std::max<std::size_t>(utf8_length(text, at), 1));
    const bool hidden = may_hide(character[0]) && visible(character) != character;
    out += hidden ? escape_of(point_of(character)) : std::string(character);
    at += character.size();
  }
  return out;
}

}  // namespace holdfast
