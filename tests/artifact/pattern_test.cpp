#include "artifact/pattern.hpp"

#include <gtest/gtest.h>

namespace holdfast {
namespace {

using Texts = std::vector<std::string>;

TEST(Patterns, MatchTheWholeTextOrAPart) {
  const Pattern word("a(b+)");
  EXPECT_TRUE(word.is("abb"));
  EXPECT_FALSE(word.is("xabb"));
  EXPECT_TRUE(word.in("xabb"));
  EXPECT_FALSE(word.in("xAbb"));
  EXPECT_TRUE(Pattern("a(b+)", Pattern::Case::ignored).in("xAbb"));
}

TEST(Patterns, ReturnGroupsAndPositions) {
  const Pattern word("a(b*)(c?)");
  EXPECT_EQ(word.groups("abbc"), (Texts{"bb", "c"}));
  EXPECT_EQ(word.groups("ab "), Texts{});
  EXPECT_EQ(word.places("ab, abbc"), (Texts{"ab", "abbc"}));
  EXPECT_EQ(word.places("ab, abbc", 1), (Texts{"b", "bb"}));
}

}  // namespace
}  // namespace holdfast
