#include "reports/terminal_text.hpp"

namespace holdfast {

TerminalText terminal_message(std::string_view text) {
  std::string out;
  for (const char c : visible_lines(text)) {
    out += c;
    if (c == '\n') out += "    ";
  }
  return TerminalText(out);
}

}  // namespace holdfast
