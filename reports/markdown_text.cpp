#include "reports/markdown_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "artifact/visible.hpp"
#include "reports/shortened.hpp"
#include "reports/workflow_commands.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kMostInProse = 1'000;
constexpr std::size_t kMostInCode = 300;

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0;
}

// The longest run of backticks: a fence must be longer.
std::size_t longest_ticks(std::string_view text) {
  std::size_t longest = 0;
  std::size_t now = 0;
  for (const char c : text) {
    now = c == '`' ? now + 1 : 0;
    longest = std::max(longest, now);
  }
  return longest;
}

std::string with_strokes_escaped(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '|' ? std::string("\\|") : std::string(1, c);
  return out;
}

}  // namespace

Markdown& Markdown::operator+=(const Markdown& more) {
  text_ += more.text_;
  in_table_ += more.in_table_;
  return *this;
}

// An underscore between letters has no meaning in Markdown, and names stay legible without the escape. An address would
// become a link by itself ("http://", "www."), and a name after @ a mention: an empty comment keeps them apart. Two
// leading colons would be a command to GitHub's runner, where the text is printed.
Markdown prose(std::string_view text) {
  std::string seen = shortened(text, kMostInProse);
  seen.erase(0, seen.find_first_not_of(' '));  // four blanks would begin a block of code
  const std::size_t number_ends = seen.find_first_not_of("0123456789");
  std::string out;
  for (std::size_t at = 0; at < seen.size(); ++at) {
    const char c = seen[at];
    const char next = at + 1 < seen.size() ? seen[at + 1] : ' ';
    const bool inside = at > 0 && is_word(seen[at - 1]) && is_word(next);
    const bool marks = std::string_view("\\`*[]<>#|~&!{}$").find(c) != std::string_view::npos;
    const bool leads = (at == 0 && std::string_view("+-=").find(c) != std::string_view::npos) ||
                       (at == 0 && c == ':' && next == ':') ||
                       (at > 0 && at == number_ends && next == ' ' && (c == '.' || c == ')'));
    const bool address = (c == ':' && next == '/') || (c == '.' && at >= 3 && seen.compare(at - 3, 3, "www") == 0);
    if (marks || leads || address || (c == '_' && !inside)) out += '\\';
    out += c;
    if (c == '@') out += "<!-- -->";
  }
  return {out, out};
}

Markdown code(std::string_view text) {
  const std::string seen = without_commands(shortened(text, kMostInCode));
  if (seen.empty()) return Literal("–");
  const bool padded = seen.front() == '`' || seen.back() == '`' || (seen.front() == ' ' && seen.back() == ' ');
  const std::string fence = std::string(longest_ticks(seen) + 1, '`');
  const std::string open = padded ? fence + " " : fence;
  const std::string close = padded ? " " + fence : fence;
  return {open + seen + close, open + with_strokes_escaped(seen) + close};
}

Markdown code_block(std::string_view text, Literal language) {
  const std::string seen = without_commands(visible_lines(text));
  const std::string fence(std::max<std::size_t>(3, longest_ticks(seen) + 1), '`');
  const std::string out = fmt::format("{}{}\n{}\n{}\n", fence, language.view(), seen, fence);
  return {out, out};
}

Markdown link_to(std::string_view path) {
  std::string out = "./";
  for (const char c : path) {
    const bool plain = is_word(c) || std::string_view("_-./+").find(c) != std::string_view::npos;
    out += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned>(static_cast<unsigned char>(c)));
  }
  return {out, out};
}

Markdown table_row(const std::vector<Markdown>& cells) {
  std::string out = "|";
  for (const auto& cell : cells) out += " " + cell.in_table_ + " |";
  out += "\n";
  return {out, out};
}

Markdown table_head(const std::vector<Markdown>& cells) {
  std::string out = "|";
  std::string rule = "|";
  for (const auto& cell : cells) {
    out += cell.empty() ? " |" : " " + cell.in_table_ + " |";
    rule += "---|";
  }
  out += "\n" + rule + "\n";
  return {out, out};
}

}  // namespace holdfast
