// The words of verdicts: each goes to text and back, and none is missing.
#include <gtest/gtest.h>

#include "artifact/run_verdict.hpp"

namespace holdfast {
namespace {

TEST(VerdictWords, RoundTrip) {
  for (int i = 0; i < 5; ++i) {
    Judgement out{};
    EXPECT_TRUE(from_text(to_text(static_cast<Judgement>(i)), out));
    EXPECT_EQ(static_cast<int>(out), i);
  }
  for (int i = 0; i < 8; ++i) {
    Outcome out{};
    EXPECT_TRUE(from_text(to_text(static_cast<Outcome>(i)), out));
    EXPECT_EQ(static_cast<int>(out), i);
  }
  Judgement judgement{};
  Outcome outcome{};
  EXPECT_FALSE(from_text("Holds", judgement));
  EXPECT_FALSE(from_text("", outcome));
}

}  // namespace
}  // namespace holdfast
