#include "artifact/shown_text.hpp"

namespace holdfast {

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
