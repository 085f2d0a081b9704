// What stands in a statement's text, letter by letter.
#pragma once

#include <cctype>
#include <string>

namespace holdfast {

inline bool contains_word(const std::string& text, const char* word) {
  return text.find(word) != std::string::npos;
}

inline bool begins_with(const std::string& text, const char* word) {
  return text.rfind(word, 0) == 0;
}

inline bool part_of_word(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_';
}

}  // namespace holdfast
