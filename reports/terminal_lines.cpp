#include "reports/terminal_lines.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "reports/visible.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kWidth = 120;

}  // namespace

std::string coloured(const std::string& text, const char* ansi, bool colour) {
  return colour ? fmt::format("\x1b[{}m{}\x1b[0m", ansi, text) : text;
}

void TerminalLines::add(const std::string& plain, const std::string& shown) {
  const std::size_t width = columns(plain);
  if (used > indent.size() && used + columns(separator) + width > kWidth) {
    out += "\n" + indent;
    used = indent.size();
  } else if (used > indent.size()) {
    out += separator;
    used += columns(separator);
  }
  out += shown;
  used += width;
}

std::string paragraph(const std::string& text) {
  const std::string indent(4, ' ');
  TerminalLines lines{" ", indent, indent, indent.size()};
  const std::string seen = visible(text);
  for (std::size_t at = 0; at < seen.size();) {
    const std::size_t end = std::min(seen.find(' ', at), seen.size());
    lines.add(seen.substr(at, end - at), seen.substr(at, end - at));
    at = end + 1;
  }
  return lines.out + "\n";
}

}  // namespace holdfast
