#include "reports/terminal_lines.hpp"

#include <algorithm>

namespace holdfast {
namespace {

constexpr std::size_t kWidth = 120;

}  // namespace

Shown coloured(const Shown& text, Literal ansi, bool colour) {
  return colour ? shown("\x1b[{}m{}\x1b[0m", ansi, text) : text;
}

void TerminalLines::add(const Shown& plain, const Shown& coloured) {
  const std::size_t width = plain.width();
  if (used > indent.width() && used + separator.width() + width > kWidth) {
    out += shown("\n{}", indent);
    used = indent.width();
  } else if (used > indent.width()) {
    out += separator;
    used += separator.width();
  }
  out += coloured;
  used += width;
}

Shown paragraph(std::string_view text) {
  constexpr std::size_t kIndent = 4;
  TerminalLines lines{Literal(" "), Shown::blanks(kIndent), Shown::blanks(kIndent), kIndent};
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    lines.add(shown("{}", text.substr(at, end - at)));
    at = end + 1;
  }
  return shown("{}\n", lines.out);
}

}  // namespace holdfast
