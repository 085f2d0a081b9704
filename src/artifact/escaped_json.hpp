// Escapes characters in JSON text that are invisible or control a terminal.
//
//   escaped_json(R"({"name":"a<U+202E>b"})")   ->   {"name":"a\u202Eb"}
//
// The value stays the same, so other programs read it unchanged. `json` must be valid. text_of_json (json_text.hpp)
// applies this to everything it writes.
#pragma once

#include <string>

namespace holdfast {

std::string escaped_json(std::string json);

}  // namespace holdfast
