// A text as long as a reader will read: what is longer is cut between two characters, and says how long it was.
//
//   shortened("abcdefgh", 5)   -> "abcde… (8 characters in all)"
//
// Of visible text (visible.hpp), whose characters are well formed.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace holdfast {

std::string shortened(std::string_view text, std::size_t most_characters);

}  // namespace holdfast
