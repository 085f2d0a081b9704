// Finds the structure of a line of JSON: the colons and commas outside its strings, 64 bytes at a time and without
// branches that depend on the text.
//
//   LineMarks marks;
//   if (!marks.find(text)) ...           // not a plain line
//   LineMarks::Walk walk(marks);
//   walk.next()                          // position of the next mark; the last is the text's last byte
//
// kLinePadding bytes after the text must be readable; their values do not matter. It does not track nesting.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "history/plain_scan.hpp"

namespace holdfast {

class LineMarks {
 public:
  static constexpr std::size_t kLongest = 16'384;

  // Returns false if the line is too long, a string has no end, or there are characters other than printable ASCII
  // without escapes.
  bool find(std::string_view text);
  std::size_t quotes() const { return quotes_; }  // in the whole line

  // Moves from mark to mark, not beyond the last.
  class Walk {
   public:
    explicit Walk(const LineMarks& of) : block_(of.marks_.data()), left_(*block_) {}

    [[gnu::always_inline]] std::size_t next() {
      while (left_ == 0) {
        left_ = *++block_;
        from_ += kBlock;
      }
      const auto bit = static_cast<std::size_t>(std::countr_zero(left_));
      left_ &= left_ - 1;
      return from_ + bit;
    }
    // The first mark at or after this position of the text.
    std::size_t next_from(std::size_t place) {
      std::size_t mark = next();
      while (mark < place) mark = next();
      return mark;
    }

   private:
    const std::uint64_t* block_;
    std::uint64_t left_;    // marks of the current block
    std::size_t from_ = 0;  // start of the block
  };

 private:
  static constexpr std::size_t kBlock = 64;
  static_assert(kLinePadding >= kBlock);

  template <typename Look>
  bool find_by(std::string_view text, const Look& look);
  bool find_wide(std::string_view text);

  std::array<std::uint64_t, kLongest / kBlock> marks_;
  std::size_t quotes_ = 0;
};

}  // namespace holdfast
