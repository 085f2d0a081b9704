#include "artifact/visible.hpp"

#include <fmt/format.h>

namespace holdfast {
namespace {

unsigned byte_at(std::string_view text, std::size_t at) {
  return at < text.size() ? static_cast<unsigned char>(text[at]) : 0U;
}

bool continues(unsigned byte) {
  return (byte & 0xC0U) == 0x80U;
}

unsigned code_point(std::string_view character) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned>(static_cast<unsigned char>(character[i])); };
  if (character.size() == 1) return byte(0);
  unsigned point = byte(0) & (0x7FU >> character.size());
  for (std::size_t i = 1; i < character.size(); ++i) point = point << 6U | (byte(i) & 0x3FU);
  return point;
}

// Characters that are invisible or change the text's direction: C1 controls, zero-width characters, direction marks,
// line separators, the byte order mark, tags, and non-characters that XML forbids.
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

std::size_t utf8_length(std::string_view text, std::size_t at) {
  const unsigned first = byte_at(text, at);
  const unsigned second = byte_at(text, at + 1);
  if (at >= text.size()) return 0;
  if (first < 0x80) return 1;
  if (first < 0xC2 || first > 0xF4 || !continues(second)) return 0;
  if (first < 0xE0) return 2;
  // The second byte's range excludes overlong forms (E0, F0), surrogates (ED) and values above U+10FFFF (F4).
  if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F)) return 0;
  if ((first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F)) return 0;
  if (!continues(byte_at(text, at + 2))) return 0;
  if (first < 0xF0) return 3;
  return continues(byte_at(text, at + 3)) ? 4 : 0;
}

std::string valid_utf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_length(text, at);
    out += length == 0 ? std::string_view("\xEF\xBF\xBD") : text.substr(at, length);
    at += length == 0 ? 1 : length;
  }
  return out;
}

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

std::string shown_text(std::string_view text) {
  static constexpr char kDigits[] = "0123456789abcdef";
  const std::size_t first = text.find_first_not_of(' ');
  const std::size_t last = text.find_last_not_of(' ');
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const bool at_an_end = text[i] == ' ' && (first == std::string_view::npos || i < first || i > last);
    if (byte < 0x20 || byte == 0x7f || at_an_end) {
      out += {'\\', 'x', kDigits[byte >> 4U], kDigits[byte & 15U]};
      continue;
    }
    if (text[i] == '"' || text[i] == '\\') out += '\\';
    out += text[i];
  }
  return out;
}

}  // namespace holdfast
