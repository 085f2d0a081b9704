#include "artifact/visible.hpp"

#include <gtest/gtest.h>

namespace holdfast {
namespace {

TEST(Utf8, KnowsWellFormedCharacters) {
  EXPECT_EQ(utf8_length("\xf4\x8f\xbf\xbf", 0), 4U);
  EXPECT_EQ(utf8_length("\xf4\x90\x80\x80", 0), 0U);  // above U+10FFFF
  EXPECT_EQ(utf8_length("\xe0\x80\x80", 0), 0U);      // overlong
  EXPECT_EQ(utf8_length("\xed\xa0\x80", 0), 0U);      // surrogate
  EXPECT_EQ(utf8_length("", 0), 0U);
  EXPECT_EQ(valid_utf8("ok \xe2\x82\xac"), "ok \xe2\x82\xac");
}

}  // namespace
}  // namespace holdfast
