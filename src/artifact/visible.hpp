// Texts from outside, made fit to be seen: well-formed, with nothing in them that a reader could not see or would take
// for something else.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace holdfast {

// Well-formed UTF-8, as RFC 3629 has it: no overlong forms, no surrogates, nothing above U+10FFFF. Texts from a server
// or from somebody's history file promise nothing, and a JSON file must be valid.

// Bytes of the well-formed character that begins at text[at]; 0 when none does.
std::size_t utf8_length(std::string_view text, std::size_t at);

// `text` with every byte that belongs to no well-formed character replaced by U+FFFD.
std::string valid_utf8(std::string_view text);

// Names, SQL and error texts come from outside. Before they reach a terminal or a page, whatever a reader could not
// see, or could be fooled by, is spelled out: an escape character becomes a picture of one, a bidirectional override
// its number. The writers of the formats do so (terminal_text.hpp, html.hpp, markdown_text.hpp, visible_json.hpp):
// nobody else has to, and doing it twice changes nothing.
//
//   visible("a\x1b[2Jb")   -> "a␛[2Jb"
//   visible("a\xff")       -> "a\\xFF"
//
// It does not escape for HTML or for a shell.

// One line: line ends and tabs are spelled out too.
std::string visible(std::string_view text);

// Several lines: line ends stay, and carriage returns before them vanish.
std::string visible_lines(std::string_view text);

// How many columns a terminal needs for it once it is visible: characters, not bytes. Right but for wide and combining
// characters.
std::size_t columns(std::string_view text);

// At most `most` characters; what is cut off leaves a "…". A name from outside may be as long as it likes.
std::string clipped(std::string_view text, std::size_t most);

// The same of what is seen of it, where there is room for so many columns.
std::string fitted(std::string_view text, std::size_t most);

inline constexpr std::size_t kMostOfName = 60;  // of a name within a sentence

// A name as a reader can tell it from another: what one does not see, or could take for an end, is written out.
//
//   shown_text("order ")      order\x20        a blank at an end
//   shown_text("a\tb")        a\x09b           control characters
//   shown_text("a\"b\\")      a\"b\\           quote and backslash, so that it can stand between quotes
//
// What it does not do: it leaves other characters as they are, also those that merely look alike.
std::string shown_text(std::string_view text);

}  // namespace holdfast
