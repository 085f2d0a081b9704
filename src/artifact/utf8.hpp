// Well-formed UTF-8, as RFC 3629 has it: no overlong forms, no surrogates, nothing above U+10FFFF. Texts from a server
// or from somebody's history file promise nothing, and a JSON file must be valid.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace holdfast {

// Bytes of the well-formed character that begins at text[at]; 0 when none does.
std::size_t utf8_length(std::string_view text, std::size_t at);

// `text` with every byte that belongs to no well-formed character replaced by U+FFFD.
std::string valid_utf8(std::string_view text);

}  // namespace holdfast
