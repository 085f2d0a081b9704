// The one place where text becomes Markdown (GitHub's kind): text from outside is shown unchanged, and never becomes
// markup, a link, a table's column, a mention of a user or HTML. Any argument of markdown() that is neither a literal
// nor Markdown already is prose.
//
//   markdown("# {}: {}\n", "*bold* <b>", code("a|b"))     # \*bold\* \<b\>: `a|b`
//   table_row({Literal("ok"), code("a|b")})               | ok | `a\|b` |
//
// Texts are made visible (visible.hpp), put on one line, and cut to a readable length.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "artifact/literal.hpp"

namespace holdfast {

class Markdown;

template <typename T>
constexpr bool kIsMarkdown = std::is_same_v<T, Markdown> || std::is_same_v<T, Literal>;
template <typename T>
constexpr bool kIsProse = std::is_convertible_v<const T&, std::string_view>;
template <typename T>
using InMarkdown = std::conditional_t<kIsMarkdown<T> || kIsProse<T>, std::string, T>;

class Markdown {
 public:
  Markdown() = default;
  Markdown(Literal markup) : text_(markup.text()), in_table_(text_) {}  // NOLINT(google-explicit-constructor)

  Markdown& operator+=(const Markdown& more);
  bool empty() const { return text_.empty(); }
  const std::string& text() const { return text_; }

 private:
  template <typename... Args>
  friend Markdown markdown(fmt::format_string<InMarkdown<Args>...> format, const Args&... args);
  template <typename T>
  friend InMarkdown<T> in_markdown(const T& value, bool in_table);
  friend Markdown prose(std::string_view text);
  friend Markdown code(std::string_view text);
  friend Markdown code_block(std::string_view text, Literal language);
  friend Markdown link_to(std::string_view path);
  friend Markdown table_row(const std::vector<Markdown>& cells);
  friend Markdown table_head(const std::vector<Markdown>& cells);
  Markdown(std::string text, std::string in_table) : text_(std::move(text)), in_table_(std::move(in_table)) {}

  std::string text_;
  std::string in_table_;  // the same as a table's cell has it: a stroke is escaped there even in code, and only there
};

Markdown prose(std::string_view text);
Markdown code(std::string_view text);

// A block of code, several lines as they are; `language` may be empty.
Markdown code_block(std::string_view text, Literal language);

// The target of a link to a file beside the summary; never an address elsewhere.
Markdown link_to(std::string_view path);

// A line. An empty cell of a head has one blank, as most write it.
Markdown table_row(const std::vector<Markdown>& cells);
Markdown table_head(const std::vector<Markdown>& cells);

template <typename T>
InMarkdown<T> in_markdown(const T& value, bool in_table) {
  if constexpr (std::is_same_v<T, Markdown>) {
    return in_table ? value.in_table_ : value.text_;
  } else if constexpr (std::is_same_v<T, Literal>) {
    return value.text();
  } else if constexpr (kIsProse<T>) {
    return prose(value).text();
  } else {
    return value;
  }
}

template <typename... Args>
Markdown markdown(fmt::format_string<InMarkdown<Args>...> format, const Args&... args) {
  return {fmt::format(format, in_markdown(args, false)...), fmt::format(format, in_markdown(args, true)...)};
}

}  // namespace holdfast
