// Messages for an old word name the new one.
#include "artifact/json_text.hpp"

#include <gtest/gtest.h>

namespace holdfast {
namespace {

TEST(Renamed, ReturnsTheNewName) {
  EXPECT_EQ(called_now("exposure"), "coverage");
  EXPECT_EQ(called_now("belief_exclusion"), "mutual_exclusion");
  EXPECT_EQ(called_now("coverage"), "");
  EXPECT_EQ(called_now(""), "");
}

TEST(Renamed, UnknownWordIsRefused) {
  EXPECT_EQ(unknown_word("key", "exposure", {"coverage"}), "unknown key 'exposure': it is now called 'coverage'");
  EXPECT_EQ(unknown_word("key", "coverag", {"coverage"}),
            "unknown key 'coverag' (did you mean 'coverage'?); known: coverage");
}

}  // namespace
}  // namespace holdfast
