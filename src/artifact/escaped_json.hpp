// JSON text in which no character is hidden: what a terminal obeys or a reader cannot see is written as its escape.
//
//   escaped_json(R"({"name":"a<U+202E>b"})")   ->   {"name":"a\u202Eb"}
//
// The value stays the same, so that programs read what they would have read. `json` must be valid; text_of_json
// (json_text.hpp) does this to all that it writes.
#pragma once

#include <string>

namespace holdfast {

std::string escaped_json(std::string json);

}  // namespace holdfast
