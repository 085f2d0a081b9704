#include "artifact/visible.hpp"

#include <fmt/format.h>

#include "artifact/utf8.hpp"

namespace holdfast {
namespace {

unsigned code_point(std::string_view character) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned>(static_cast<unsigned char>(character[i])); };
  if (character.size() == 1) return byte(0);
  unsigned point = byte(0) & (0x7FU >> character.size());
  for (std::size_t i = 1; i < character.size(); ++i) point = point << 6U | (byte(i) & 0x3FU);
  return point;
}

// Characters that show nothing or turn the text around: C1 controls, zero widths, direction marks, line separators, the
// byte order mark, tags, and the non-characters that XML does not allow.
bool hides(unsigned point) {
  return (point >= 0x80 && point < 0xA0) || point == 0xAD || point == 0x61C || (point >= 0x200B && point <= 0x200F) ||
         (point >= 0x2028 && point <= 0x202E) || (point >= 0x2060 && point <= 0x206F) || point == 0xFEFF ||
         (point & 0xFFFEU) == 0xFFFE || (point >= 0xFDD0 && point <= 0xFDEF) || (point >= 0xE0000 && point <= 0xE007F);
}

std::string spelled(std::string_view character) {
  const unsigned point = code_point(character);
  if (point == '\n') return "\\n";
  if (point == '\r') return "\\r";
  if (point == '\t') return "\\t";
  if (point < 0x20 || point == 0x7F) return fmt::format("\\x{:02X}", point);
  return hides(point) ? fmt::format("\\u{:04X}", point) : std::string(character);
}

std::size_t characters(std::string_view text) {
  std::size_t count = 0;
  for (const char c : text) count += (static_cast<unsigned char>(c) & 0xC0U) != 0x80U ? 1 : 0;
  return count;
}

}  // namespace

std::string visible(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_length(text, at);
    if (length == 0) {
      out += fmt::format("\\x{:02X}", static_cast<unsigned>(static_cast<unsigned char>(text[at])));
    } else {
      out += spelled(text.substr(at, length));
    }
    at += length == 0 ? 1 : length;
  }
  return out;
}

std::string visible_lines(std::string_view text) {
  std::string out;
  while (true) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    if (end != std::string_view::npos && line.ends_with('\r')) line.remove_suffix(1);
    out += visible(line);
    if (end == std::string_view::npos) return out;
    out += '\n';
    text.remove_prefix(end + 1);
  }
}

std::size_t columns(std::string_view text) {
  return characters(visible(text));
}

std::string fitted(std::string_view text, std::size_t most) {
  return clipped(visible(text), most);
}

std::string clipped(std::string_view text, std::size_t most) {
  if (characters(text) <= most) return std::string(text);
  std::string out;
  std::size_t count = 0;
  for (const char c : text) {
    count += (static_cast<unsigned char>(c) & 0xC0U) != 0x80U ? 1 : 0;
    if (count == most) break;
    out += c;
  }
  return out + "…";
}

}  // namespace holdfast
