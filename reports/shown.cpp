#include "reports/shown.hpp"

namespace holdfast {

Shown shown_message(std::string_view text) {
  std::string out;
  for (const char c : visible_lines(text)) {
    out += c;
    if (c == '\n') out += "    ";
  }
  return Shown(out);
}

}  // namespace holdfast
