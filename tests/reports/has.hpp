// True if a text has a part.
#pragma once

#include <string>

namespace holdfast {

inline bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace holdfast
