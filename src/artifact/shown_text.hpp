// A name as a reader can tell it from another: what one does not see, or could take for an end, is written out.
//
//   shown_text("order ")      order\x20        a blank at an end
//   shown_text("a\tb")        a\x09b           control characters
//   shown_text("a\"b\\")      a\"b\\           quote and backslash, so that it can stand between quotes
//
// What it does not do: it leaves other characters as they are, also those that merely look alike.
#pragma once

#include <string>
#include <string_view>

namespace holdfast {

std::string shown_text(std::string_view text);

}  // namespace holdfast
