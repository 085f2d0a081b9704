// Where the parts of a line of JSON meet: the colons and commas that stand outside its strings, found 64 bytes at a
// time and without a branch that depends on the text.
//
//   LineMarks marks;
//   if (!marks.find(text)) ...           // nothing that a plain line may be
//   LineMarks::Walk walk(marks);
//   walk.next()                          // the place of the first, then of the next; kNone when there is no more
//
// kLinePadding bytes behind the text must be readable; what stands there is no part of it. What it does not do: it does
// not know how deep in lists and objects a mark stands.
#pragma once

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

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
  static constexpr std::size_t kNone = ~std::size_t{0};

  // False: it is too long, a string has no end, or there is something else in it than printable ASCII without escapes.
  bool find(std::string_view text) {
    if (text.empty() || text.size() > kLongest) return false;
    last_ = (text.size() - 1) / kBlock;
    std::size_t quotes = 0;
    std::uint64_t inside = 0;  // all ones where a string goes on from the block before
    for (std::size_t i = 0; i <= last_; ++i) {
      Block block = look_at(text.data() + i * kBlock);
      if (i == last_) block.keep_first(text.size() - i * kBlock);
      if (block.odd != 0) return false;
      const std::uint64_t strings = inside_of(block.quotes) ^ inside;
      inside = static_cast<std::uint64_t>(static_cast<std::int64_t>(strings) >> 63);
      quotes += ones(block.quotes);
      marks_[i] = block.marks & ~strings;
    }
    quotes_ = quotes;
    return inside == 0;
  }
  std::size_t quotes() const { return quotes_; }  // of the whole line

  // From mark to mark.
  class Walk {
   public:
    explicit Walk(const LineMarks& of) : block_(of.marks_.data()), last_(block_ + of.last_), left_(*block_) {}

    [[gnu::always_inline]] std::size_t next() {
      while (left_ == 0) {
        if (block_ == last_) return kNone;
        left_ = *++block_;
        from_ += kBlock;
      }
      const auto bit = static_cast<std::size_t>(std::countr_zero(left_));
      left_ &= left_ - 1;
      return from_ + bit;
    }
    // The first at this place or behind it.
    std::size_t next_from(std::size_t place) {
      std::size_t mark = next();
      while (mark < place) mark = next();
      return mark;
    }

   private:
    const std::uint64_t* block_;
    const std::uint64_t* last_;
    std::uint64_t left_;    // of the block at hand
    std::size_t from_ = 0;  // where that begins
  };

 private:
  static constexpr std::size_t kBlock = 64;
  static_assert(kLinePadding >= kBlock);

  // A bit for each byte.
  struct Block {
    std::uint64_t quotes = 0;
    std::uint64_t marks = 0;  // colons and commas, in strings too
    std::uint64_t odd = 0;    // what no plain line has
    void keep_first(std::size_t bytes) {
      const std::uint64_t kept = ~std::uint64_t{0} >> (kBlock - bytes);
      quotes &= kept;
      marks &= kept;
      odd &= kept;
    }
  };
  static Block look_at(const char* from);

  // All bytes from each odd quote to the next.
  static std::uint64_t inside_of(std::uint64_t quotes) {
    for (int by = 1; by < 64; by *= 2) quotes ^= quotes << by;
    return quotes;
  }
  // How many bits are set; the processor's own instruction cannot be counted on.
  static std::size_t ones(std::uint64_t bits) {
    bits -= (bits >> 1) & 0x5555555555555555;
    bits = (bits & 0x3333333333333333) + ((bits >> 2) & 0x3333333333333333);
    bits = (bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F0F;
    return (bits * 0x0101010101010101) >> 56;
  }

  std::array<std::uint64_t, kLongest / kBlock> marks_;
  std::size_t last_ = 0;  // block
  std::size_t quotes_ = 0;
};

#if defined(__SSE2__)

inline LineMarks::Block LineMarks::look_at(const char* from) {
  Block out;
  for (int i = 0; i < 4; ++i) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + 16 * i));
    const auto are = [&](char c) { return _mm_cmpeq_epi8(bytes, _mm_set1_epi8(c)); };
    const auto bits = [&](__m128i chosen) {
      return std::uint64_t{static_cast<std::uint32_t>(_mm_movemask_epi8(chosen))} << (16 * i);
    };
    out.quotes |= bits(are('"'));
    out.marks |= bits(_mm_or_si128(are(':'), are(',')));
    // As signed numbers, bytes beyond ASCII are smaller than a blank, too.
    const __m128i unprintable = _mm_or_si128(_mm_cmplt_epi8(bytes, _mm_set1_epi8(' ')), are(0x7f));
    out.odd |= bits(_mm_or_si128(unprintable, are('\\')));
  }
  return out;
}

#else

inline LineMarks::Block LineMarks::look_at(const char* from) {
  Block out;
  for (std::size_t i = 0; i < kBlock; ++i) {
    const char c = from[i];
    const std::uint64_t bit = std::uint64_t{1} << i;
    if (c == '"') out.quotes |= bit;
    if (c == ':' || c == ',') out.marks |= bit;
    if (c < ' ' || c > '~' || c == '\\') out.odd |= bit;
  }
  return out;
}

#endif

}  // namespace holdfast
