// A perfect hash for a few words of at most eight bytes: a multiplication maps each to its own slot, so a look-up needs
// one comparison and no branch that depends on the word.
//
//   constexpr ShortWords<Op, 2> kOps({{{as_word("acquire"), Op::acquire}, {as_word("release"), Op::release}}});
//   if (!kOps.find(word, op)) ...        // `op` is set anyway
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace holdfast {

// Packs up to eight bytes into a number, the first one lowest, so that words are compared in one step.
constexpr std::uint64_t as_word(std::string_view text) {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < text.size(); ++i) word |= std::uint64_t{static_cast<unsigned char>(text[i])} << (8 * i);
  return word;
}

template <typename Value, std::size_t kCount>
class ShortWords {
 public:
  struct Word {
    std::uint64_t word = ~std::uint64_t{0};  // unused: a value that no text has
    Value value{};
  };

  explicit constexpr ShortWords(const std::array<Word, kCount>& words) {
    while (!tells_apart(words)) factor_ += 0x2545F4914F6CDD1E;
    for (const Word& each : words) places_.at(place_of(each.word)) = each;
  }
  constexpr bool find(std::uint64_t word, Value& out) const {
    const Word& found = places_[place_of(word)];
    out = found.value;
    return found.word == word;
  }

 private:
  static constexpr int kBits = kCount <= 5 ? 4 : 6;
  static constexpr std::size_t kPlaces = std::size_t{1} << kBits;
  static_assert(kCount <= kPlaces / 3);

  constexpr std::size_t place_of(std::uint64_t word) const { return (word * factor_) >> (64 - kBits); }
  constexpr bool tells_apart(const std::array<Word, kCount>& words) const {
    std::array<bool, kPlaces> taken{};
    for (const Word& each : words) {
      bool& place = taken.at(place_of(each.word));
      if (place) return false;
      place = true;
    }
    return true;
  }

  std::uint64_t factor_ = 0x9E3779B97F4A7C15;
  std::array<Word, kPlaces> places_{};
};

}  // namespace holdfast
