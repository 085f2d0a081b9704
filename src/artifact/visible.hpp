// Makes outside text safe to display: well-formed, and without characters that are invisible or could mislead a reader.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace holdfast {

// Well-formed UTF-8 according to RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF. Text from a server
// or a foreign history file may be malformed, but a JSON file must be valid.

// Bytes of the well-formed character that begins at text[at]; 0 when none does.
std::size_t utf8_length(std::string_view text, std::size_t at);

// Returns `text` with every byte outside a well-formed character replaced by U+FFFD.
std::string valid_utf8(std::string_view text);

// Names, SQL and error texts come from outside. Before they reach a terminal or a page, everything that a reader could
// not see or could be misled by is spelled out: an escape character becomes its symbol, a bidirectional override its
// number. The writers of the formats do this (terminal_text.hpp, html.hpp, markdown_text.hpp, visible_json.hpp), so
// callers need not; applying it twice changes nothing.
//
//   visible("a\x1b[2Jb")   -> "a␛[2Jb"
//   visible("a\xff")       -> "a\\xFF"
//
// It does not escape for HTML or for a shell.

// One line: line ends and tabs are also spelled out.
std::string visible(std::string_view text);

// Several lines: line ends stay, and carriage returns before them are dropped.
std::string visible_lines(std::string_view text);

// Number of terminal columns for the visible text: characters, not bytes. Correct except for wide and combining
// characters.
std::size_t columns(std::string_view text);

// Returns at most `most` characters; a cut text ends with "…". Outside names have no length limit.
std::string clipped(std::string_view text, std::size_t most);

// The same for the visible form, limited to that many columns.
std::string fitted(std::string_view text, std::size_t most);

inline constexpr std::size_t kMostOfName = 60;  // length of a name within a sentence

// Makes a name distinguishable: characters that are invisible, or could be taken for its end, are written as escapes.
//
//   shown_text("order ")      order\x20        a blank at an end
//   shown_text("a\tb")        a\x09b           control characters
//   shown_text("a\"b\\")      a\"b\\           quote and backslash, so that it can be quoted
//
// Limit: other characters stay, including those that look alike.
std::string shown_text(std::string_view text);

}  // namespace holdfast
