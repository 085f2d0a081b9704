// Where the parts of a line of JSON meet: the colons and commas that stand outside its strings, found 64 bytes at a
// time and without a branch that depends on the text.
//
//   LineMarks marks;
//   if (!marks.find(text)) ...           // nothing that a plain line may be
//   LineMarks::Walk walk(marks);
//   walk.next()                          // the place of the first, then of the next; the last is the text's last byte
//
// kLinePadding bytes behind the text must be readable; what stands there is no part of it. What it does not do: it does
// not know how deep in lists and objects a mark stands.
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

  // False: it is too long, a string has no end, or there is something else in it than printable ASCII without escapes.
  bool find(std::string_view text);
  std::size_t quotes() const { return quotes_; }  // of the whole line

  // From mark to mark, and not behind the last.
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
    // The first at this place, which is in the text, or behind it.
    std::size_t next_from(std::size_t place) {
      std::size_t mark = next();
      while (mark < place) mark = next();
      return mark;
    }

   private:
    const std::uint64_t* block_;
    std::uint64_t left_;    // of the block at hand
    std::size_t from_ = 0;  // where that begins
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
