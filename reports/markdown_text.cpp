#include "reports/markdown_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "reports/shortened.hpp"
#include "reports/visible.hpp"

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

}  // namespace

// An underscore between letters is no markup, and names stay legible without the stroke. An address would become a link
// by itself ("http://", "www."), and a name after @ a mention: an empty comment keeps them apart.
std::string prose(std::string_view text) {
  std::string seen = shortened(visible(text), kMostInProse);
  seen.erase(0, seen.find_first_not_of(' '));  // four blanks would begin a block of code
  const std::size_t number_ends = seen.find_first_not_of("0123456789");
  std::string out;
  for (std::size_t at = 0; at < seen.size(); ++at) {
    const char c = seen[at];
    const char next = at + 1 < seen.size() ? seen[at + 1] : ' ';
    const bool inside = at > 0 && is_word(seen[at - 1]) && is_word(next);
    const bool marks = std::string_view("\\`*[]<>#|~&!{}").find(c) != std::string_view::npos;
    const bool leads = (at == 0 && std::string_view("+-=").find(c) != std::string_view::npos) ||
                       (at > 0 && at == number_ends && next == ' ' && (c == '.' || c == ')'));
    const bool address = (c == ':' && next == '/') || (c == '.' && at >= 3 && seen.compare(at - 3, 3, "www") == 0);
    if (marks || leads || address || (c == '_' && !inside)) out += '\\';
    out += c;
    if (c == '@') out += "<!-- -->";
  }
  return out;
}

// Within a table a stroke must be escaped even in code, and only there.
std::string code(std::string_view text, InTable in_table) {
  std::string seen = shortened(visible(text), kMostInCode);
  if (seen.empty()) return "–";
  if (in_table == InTable::yes) {
    std::string escaped_strokes;
    for (const char c : seen) escaped_strokes += c == '|' ? std::string("\\|") : std::string(1, c);
    seen = escaped_strokes;
  }
  const std::string fence(longest_ticks(seen) + 1, '`');
  const bool padded = seen.front() == '`' || seen.back() == '`' || (seen.front() == ' ' && seen.back() == ' ');
  const char* pad = padded ? " " : "";
  return fence + pad + seen + pad + fence;
}

std::string code_block(std::string_view text, std::string_view language) {
  const std::string seen = visible_lines(text);
  const std::string fence(std::max<std::size_t>(3, longest_ticks(seen) + 1), '`');
  return fmt::format("{}{}\n{}\n{}\n", fence, language, seen, fence);
}

std::string link_to(std::string_view path) {
  std::string out = "./";
  for (const char c : path) {
    const bool plain = is_word(c) || std::string_view("_-./+").find(c) != std::string_view::npos;
    out += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned>(static_cast<unsigned char>(c)));
  }
  return out;
}

}  // namespace holdfast
