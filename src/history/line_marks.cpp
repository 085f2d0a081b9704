#include "history/line_marks.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace holdfast {
namespace {

// A bit for each of 64 bytes.
struct MarkedBlock {
  std::uint64_t quotes = 0;
  std::uint64_t marks = 0;  // colons and commas, including those in strings
  std::uint64_t odd = 0;    // characters that no plain line has
  void keep_first(std::size_t bytes) {
    const std::uint64_t kept = ~std::uint64_t{0} >> (64 - bytes);
    quotes &= kept;
    marks &= kept;
    odd &= kept;
  }
};

// Sets all bytes from each odd quote to the next.
std::uint64_t inside_of(std::uint64_t quotes) {
  for (int by = 1; by < 64; by *= 2) quotes ^= quotes << by;
  return quotes;
}

#if defined(__x86_64__)

// 16 bytes at a time, supported by every such processor.
MarkedBlock look_at_block(const char* from) {
  MarkedBlock out;
  for (std::ptrdiff_t i = 0; i < 4; ++i) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + 16 * i));
    const __m128i quotes = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"'));
    const __m128i marks =
        _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(':')), _mm_cmpeq_epi8(bytes, _mm_set1_epi8(',')));
    // As signed numbers, bytes beyond ASCII are also smaller than a blank.
    const __m128i unprintable =
        _mm_or_si128(_mm_cmplt_epi8(bytes, _mm_set1_epi8(' ')), _mm_cmpeq_epi8(bytes, _mm_set1_epi8(0x7f)));
    const __m128i odd = _mm_or_si128(unprintable, _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\')));
    out.quotes |= std::uint64_t{static_cast<std::uint32_t>(_mm_movemask_epi8(quotes))} << (16 * i);
    out.marks |= std::uint64_t{static_cast<std::uint32_t>(_mm_movemask_epi8(marks))} << (16 * i);
    out.odd |= std::uint64_t{static_cast<std::uint32_t>(_mm_movemask_epi8(odd))} << (16 * i);
  }
  return out;
}

// The same for 32 bytes at a time, on processors that support it.
[[gnu::target("avx2,popcnt")]] inline MarkedBlock look_at_wide_block(const char* from) {
  MarkedBlock out;
  for (std::ptrdiff_t i = 0; i < 2; ++i) {
    const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + 32 * i));
    const __m256i quotes = _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('"'));
    const __m256i marks = _mm256_or_si256(_mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(':')),
                                          _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(',')));
    const __m256i unprintable = _mm256_or_si256(_mm256_cmpgt_epi8(_mm256_set1_epi8(' '), bytes),
                                                _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(0x7f)));
    const __m256i odd = _mm256_or_si256(unprintable, _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('\\')));
    out.quotes |= std::uint64_t{static_cast<std::uint32_t>(_mm256_movemask_epi8(quotes))} << (32 * i);
    out.marks |= std::uint64_t{static_cast<std::uint32_t>(_mm256_movemask_epi8(marks))} << (32 * i);
    out.odd |= std::uint64_t{static_cast<std::uint32_t>(_mm256_movemask_epi8(odd))} << (32 * i);
  }
  return out;
}

const bool kWide = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt");

#else

MarkedBlock look_at_block(const char* from) {
  MarkedBlock out;
  for (std::size_t i = 0; i < 64; ++i) {
    const char c = from[i];
    const std::uint64_t bit = std::uint64_t{1} << i;
    if (c == '"') out.quotes |= bit;
    if (c == ':' || c == ',') out.marks |= bit;
    if (c < ' ' || c > '~' || c == '\\') out.odd |= bit;
  }
  return out;
}

#endif

}  // namespace

template <typename Look>
[[gnu::always_inline]] inline bool LineMarks::find_by(std::string_view text, const Look& look) {
  const std::size_t last = (text.size() - 1) / kBlock;
  std::size_t quotes = 0;
  std::uint64_t inside = 0;  // all ones if a string continues from the previous block
  for (std::size_t i = 0; i <= last; ++i) {
    MarkedBlock block = look(text.data() + i * kBlock);
    if (i == last) block.keep_first(text.size() - i * kBlock);
    if (block.odd != 0) return false;
    const std::uint64_t strings = inside_of(block.quotes) ^ inside;
    inside = static_cast<std::uint64_t>(static_cast<std::int64_t>(strings) >> 63);
    quotes += static_cast<std::size_t>(__builtin_popcountll(block.quotes));
    marks_[i] = block.marks & ~strings;
  }
  marks_[last] |= std::uint64_t{1} << ((text.size() - 1) % kBlock);
  quotes_ = quotes;
  return inside == 0;
}

#if defined(__x86_64__)

[[gnu::target("avx2,popcnt")]] bool LineMarks::find_wide(std::string_view text) {
  return find_by(
      text, [](const char* from) __attribute__((target("avx2,popcnt"))) { return look_at_wide_block(from); });
}

#endif

bool LineMarks::find(std::string_view text) {
  if (text.empty() || text.size() > kLongest) return false;
#if defined(__x86_64__)
  if (kWide) return find_wide(text);
#endif
  return find_by(text, look_at_block);
}

}  // namespace holdfast
