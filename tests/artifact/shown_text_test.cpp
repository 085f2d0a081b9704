// Names that differ in what one does not see are shown apart.
#include "artifact/visible.hpp"

#include <gtest/gtest.h>

namespace holdfast {
namespace {

TEST(ShownText, EscapesInvisibleCharacters) {
  EXPECT_EQ(shown_text("my order"), "my order");
  EXPECT_EQ(shown_text("order "), "order\\x20");
  EXPECT_EQ(shown_text("  "), "\\x20\\x20");
  EXPECT_EQ(shown_text(std::string("a\tb\0", 4)), "a\\x09b\\x00");
  EXPECT_EQ(shown_text("a\"b\\"), "a\\\"b\\\\");
  EXPECT_EQ(shown_text("\xc3\xa9"), "\xc3\xa9");
  EXPECT_EQ(shown_text(""), "");
}

}  // namespace
}  // namespace holdfast
