// Enumerations whose values the compiler counts, and tables with one entry per value.
//
//   enum class When { before, after };
//   kEnumerators<When>                                      // 2
//   constexpr EnumWords<When> kWords({"before", "after"});
//   kWords[When::after]                                     // "after"
//   kWords.read("after", when)                              // true
//   constexpr EnumWords<When> kShort({"before"});           // does not compile: a value without a word
//   is_enumerator(when)                                     // false for a number without an enumerator
//
// For enumerations with the values 0, 1, 2, ... without gaps, at most kMostEnumerators. The count is taken from a
// function's name, in which GCC and Clang print an enumerator by its name and other numbers as a cast.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace holdfast {

inline constexpr std::size_t kMostEnumerators = 64;

template <auto value>
constexpr bool is_named() {
  const std::string_view function = __PRETTY_FUNCTION__;  // "... [with auto value = holdfast::When::after]"
  const std::string_view printed = function.substr(0, function.size() - 1);
  const char first = printed[printed.find_last_of(":) =") + 1];
  return first < '0' || first > '9';
}

template <class Enum, std::size_t from = 0>
constexpr std::size_t count_enumerators() {
  if constexpr (from == kMostEnumerators) {
    return from;
  } else if constexpr (!is_named<static_cast<Enum>(from)>()) {
    return from;
  } else {
    return count_enumerators<Enum, from + 1>();
  }
}

template <class Enum>
inline constexpr std::size_t kEnumerators = count_enumerators<Enum>();

// Returns false for an object copied from bytes with an invalid value.
template <class Enum>
constexpr bool is_enumerator(Enum value) {
  return static_cast<std::size_t>(value) < kEnumerators<Enum>;
}

template <class Enum, class Entry>
class EnumTable {
 public:
  // The size is deduced: an array with a given size would accept fewer entries and fill up the rest.
  template <std::size_t size>
  requires(size == kEnumerators<Enum>) constexpr EnumTable(const Entry (&entries)[size])
      : entries_(std::to_array(entries)) {}

  constexpr const Entry& operator[](Enum value) const { return entries_.at(static_cast<std::size_t>(value)); }

  constexpr auto begin() const { return entries_.begin(); }
  constexpr auto end() const { return entries_.end(); }

 private:
  std::array<Entry, kEnumerators<Enum>> entries_;
};

template <class Enum>
class EnumWords : public EnumTable<Enum, const char*> {
 public:
  using EnumTable<Enum, const char*>::EnumTable;

  // Returns false if no value has this word.
  constexpr bool read(std::string_view word, Enum& out) const {
    std::size_t number = 0;
    for (const std::string_view known : *this) {
      if (known == word) {
        out = static_cast<Enum>(number);
        return true;
      }
      ++number;
    }
    return false;
  }
};

}  // namespace holdfast
