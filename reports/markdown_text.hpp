// Text as Markdown (GitHub's kind): what comes from outside is shown as it is, and never becomes markup, a link, a
// table's column, a mention of somebody or HTML.
//
//   prose("*bold* <b>")        \*bold\* \<b\>
//   code("a|b", InTable::yes)  `a\|b`
//
// Both make the text visible (visible.hpp), put it on one line, and cut it where nobody would read on.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace holdfast {

enum class InTable : std::uint8_t { no, yes };

std::string prose(std::string_view text);
std::string code(std::string_view text, InTable in_table = InTable::no);

// A block of code, several lines as they are; `language` may be empty.
std::string code_block(std::string_view text, std::string_view language);

// The target of a link to a file beside the summary; never an address elsewhere.
std::string link_to(std::string_view path);

}  // namespace holdfast
