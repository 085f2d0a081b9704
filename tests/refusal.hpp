// The complaint of a call, for tests of error texts: the text of the BadInput it throws, or "accepted".
//
//   EXPECT_EQ(refusal([] { parse("{"); }), "x.json:1: not JSON: ...");
//
// Any other exception passes through and fails the test.
#pragma once

#include <string>

#include "artifact/error.hpp"

namespace holdfast {

template <typename Call>
std::string refusal(const Call& call) {
  try {
    call();
  } catch (const BadInput& refused) {
    return refused.what();
  }
  return "accepted";
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace holdfast
