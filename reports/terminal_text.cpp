#include "reports/terminal_text.hpp"

#include <algorithm>

namespace holdfast {
namespace {

// The end of an escape sequence that sets a colour, "\x1b[1;31m"; `at` if none begins there.
std::size_t end_of_colour(std::string_view text, std::size_t at) {
  if (text.substr(at, 2) != "\x1b[") return at;
  const std::size_t end = text.find('m', at);
  return end == std::string_view::npos ? at : end + 1;
}

std::size_t columns_without_colours(std::string_view text) {
  std::string plain;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = end_of_colour(text, at);
    if (end == at) plain += text[at++];
    at = std::max(at, end);
  }
  return columns(plain);
}

// A line without its end, broken before words that would not fit.
std::string folded_line(std::string_view line, std::size_t most) {
  const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
  const std::string below(indent > most / 2 ? 4 : indent, ' ');
  std::string out(line.substr(0, indent));
  std::size_t used = indent;
  std::size_t blanks = 0;
  for (std::size_t at = indent; at < line.size();) {
    const std::size_t end = std::min(line.find(' ', at), line.size());
    const std::size_t width = columns_without_colours(line.substr(at, end - at));
    if (used > below.size() && used + blanks + width > most) {
      out += "\n" + below;
      used = below.size();
    } else {
      out += std::string(blanks, ' ');
      used += blanks;
    }
    out += line.substr(at, end - at);
    used += width;
    at = std::min(line.find_first_not_of(' ', end), line.size());
    blanks = at - end;
  }
  return out;
}

}  // namespace

TerminalText folded(const TerminalText& text, std::size_t most) {
  if (most == 0) return text;
  std::string out;
  const std::string_view all = text.text();
  for (std::size_t at = 0; at < all.size();) {
    const std::size_t end = std::min(all.find('\n', at), all.size());
    const std::string_view line = all.substr(at, end - at);
    const bool whole = columns_without_colours(line) <= most || line.find("rerun: ") != std::string_view::npos;
    out += whole ? std::string(line) : folded_line(line, most);
    if (end < all.size()) out += '\n';
    at = end + 1;
  }
  return TerminalText(out);
}

TerminalText terminal_message(std::string_view text) {
  std::string out;
  for (const char c : visible_lines(text)) {
    out += c;
    if (c == '\n') out += "    ";
  }
  return TerminalText(out);
}

}  // namespace holdfast
