// A statement may say at which of several servers it is run.
#include "artifact/placed_statement.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace holdfast {
namespace {

TEST(PlacedStatement, IncludesItsServer) {
  EXPECT_EQ(at_server("acquire", 2), "acquire@2");
  EXPECT_EQ(placed("acquire@12").name, "acquire");
  EXPECT_EQ(placed("acquire@12").server, 12U);
  EXPECT_EQ(placed("acquire").name, "acquire");
  EXPECT_EQ(placed("acquire").server, 0U);
  EXPECT_TRUE(says_server("acquire@0"));
  EXPECT_FALSE(says_server("acquire"));
}

TEST(PlacedStatement, MustNameAServer) {
  for (const char* wrong : {"acquire@", "acquire@x", "acquire@1x", "acquire@1@2"}) {
    EXPECT_THROW(placed(wrong), std::logic_error) << wrong;
  }
}

TEST(PlacedStatement, MatchesByNameOrByPlace) {
  EXPECT_TRUE(is_called("acquire", "acquire"));
  EXPECT_TRUE(is_called("acquire@2", "acquire"));
  EXPECT_TRUE(is_called("acquire@2", "acquire@2"));
  EXPECT_FALSE(is_called("acquire@2", "acquire@1"));
  EXPECT_FALSE(is_called("acquire@2", "acquire@"));
  EXPECT_FALSE(is_called("acquire@21", "acquire@2"));
  EXPECT_FALSE(is_called("acquire", "acquire@0"));
  EXPECT_FALSE(is_called("acquires@2", "acquire"));
  EXPECT_FALSE(is_called("acq@2", "acquire"));
}

}  // namespace
}  // namespace holdfast
