#include "history/same_text.hpp"

#include <gtest/gtest.h>

#include <string>

namespace holdfast {
namespace {

// Texts of every length around a word's, that differ in one place, or in none.
TEST(SameText, SeesEachByte) {
  for (std::size_t size = 0; size <= 40; ++size) {
    const std::string text(size, 'a');
    EXPECT_TRUE(same_text(text, std::string(size, 'a'))) << size;
    EXPECT_FALSE(same_text(text, text + 'a')) << size;
    for (std::size_t at = 0; at < size; ++at) {
      std::string other = text;
      other[at] = 'b';
      EXPECT_FALSE(same_text(text, other)) << size << ", " << at;
    }
  }
}

}  // namespace
}  // namespace holdfast
