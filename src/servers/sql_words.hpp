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

inline bool contains_text(std::string_view text, std::string_view part) {
  return std::search(text.begin(), text.end(), part.begin(), part.end(), same_letter) != text.end();
}

// Matches whole words only: a table may have a name that contains it.
inline bool has_word(std::string_view text, std::string_view word) {
  const auto of_a_name = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (auto from = text.begin();;) {
    const auto at = std::search(from, text.end(), word.begin(), word.end(), same_letter);
    if (at == text.end()) return false;
    const auto after = at + static_cast<std::ptrdiff_t>(word.size());
    if ((at == text.begin() || !of_a_name(at[-1])) && (after == text.end() || !of_a_name(*after))) return true;
    from = at + 1;
  }
}

inline bool begins_with(std::string_view text, std::string_view word) {
  return text.size() >= word.size() && std::equal(word.begin(), word.end(), text.begin(), same_letter);
}

}  // namespace holdfast
