// Words of a statement's text, in capitals or not.
#pragma once

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>

namespace holdfast {

inline bool same_letter(char a, char b) {
  return std::toupper(static_cast<unsigned char>(a)) == std::toupper(static_cast<unsigned char>(b));
}

inline bool contains_word(std::string_view text, std::string_view word) {
  return std::search(text.begin(), text.end(), word.begin(), word.end(), same_letter) != text.end();
}

inline bool begins_with(std::string_view text, std::string_view word) {
  return text.size() >= word.size() && std::equal(word.begin(), word.end(), text.begin(), same_letter);
}

}  // namespace holdfast
