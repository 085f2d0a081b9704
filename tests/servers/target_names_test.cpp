// Holdfast's own names on a user's server: only exact matches, byte by byte.
#include "servers/sandbox.hpp"

#include <gtest/gtest.h>

namespace holdfast {
namespace {

TEST(TargetNames, OwnNamesAreRecognized) {
  EXPECT_TRUE(is_run_name("holdfast_1a2b3c4d"));
  EXPECT_TRUE(is_trial_prefix("holdfast_1a2b3c4d_17_"));
  EXPECT_TRUE(is_our_table("holdfast_1a2b3c4d_17_insert_lease"));
  EXPECT_TRUE(is_our_table("holdfast_1a2b3c4d_0_probe"));
  EXPECT_TRUE(is_our_table("holdfast_1a2b3c4d_999999999_A1"));
  EXPECT_EQ(run_of("holdfast_1a2b3c4d_17_insert_lease"), "holdfast_1a2b3c4d");
}

TEST(TargetNames, SimilarNamesAreNotOwn) {
  for (const char* name : {"", "holdfast_", "holdfast_1a2b3c4", "holdfast_1a2b3c4dd", "Holdfast_1a2b3c4d",
                           "holdfast_1A2B3C4D", "holdfast_1a2b3c4g", "holdfast_1a2b3c4d ", " holdfast_1a2b3c4d"}) {
    EXPECT_FALSE(is_run_name(name)) << name;
    EXPECT_FALSE(is_trial_prefix(std::string(name) + "_1_x")) << name;
  }
  for (const char* rest : {"", "_", "_1", "__", "_x_", "_1_a", "_1234567890_", "_-1_", "_1__", "_1_ "}) {
    EXPECT_FALSE(is_trial_prefix(std::string("holdfast_1a2b3c4d") + rest)) << rest;
  }
  for (const char* rest : {"", "_", "_1", "_1_", "__a", "_x_a", "_1_a`", "_1_a b", "_1_a;", "_1_a'", "_1_\xc3\xa9",
                           "_1_a ", "_1_a\n", "_1234567890_a"}) {
    EXPECT_FALSE(is_our_table(std::string("holdfast_1a2b3c4d") + rest)) << rest;
  }
  EXPECT_FALSE(is_our_table(std::string("holdfast_1a2b3c4d_1_a\0", 22)));
  EXPECT_FALSE(is_our_table("holdfast_1a2b3c4d_1_" + std::string(45, 'a'))) << "longer than MySQL's longest";
}

TEST(TargetNames, IdentifierMatchesWholeNamesOnly) {
  EXPECT_EQ(quoted_name("orders"), "`orders`");
  EXPECT_EQ(quoted_name("a`; DROP TABLE orders;-- x"), "`a``; DROP TABLE orders;-- x`");
  EXPECT_EQ(quoted_name("```"), "````````");
}

}  // namespace
}  // namespace holdfast
