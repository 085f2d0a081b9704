// Names, SQL and error texts come from outside. Before they reach a terminal or a page, whatever a reader could not
// see, or could be fooled by, is spelled out: an escape character becomes a picture of one, a bidirectional override
// its number. The writers of the formats do so (shown.hpp, html.hpp, markdown_text.hpp, shown_json.hpp): nobody else
// has to, and doing it twice changes nothing.
//
//   visible("a\x1b[2Jb")   -> "a␛[2Jb"
//   visible("a\xff")       -> "a\\xFF"
//
// It does not escape for HTML or for a shell.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace holdfast {

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

}  // namespace holdfast
