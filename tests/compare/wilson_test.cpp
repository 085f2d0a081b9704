// Wilson's interval, against published values.
#include "compare/wilson.hpp"

#include <gtest/gtest.h>

namespace holdfast {
namespace {

void expect_interval(std::int64_t k, std::int64_t n, double low, double high) {
  const ShareInterval share = wilson(k, n);
  EXPECT_NEAR(share.low, low, 0.0001) << k << " of " << n;
  EXPECT_NEAR(share.high, high, 0.0001) << k << " of " << n;
}

// Newcombe, Statistics in Medicine 17 (1998), table I, method 3.
TEST(Wilson, EqualsPublishedValues) {
  expect_interval(81, 263, 0.2553, 0.3662);
  expect_interval(15, 148, 0.0624, 0.1605);
  expect_interval(0, 20, 0.0000, 0.1611);
  expect_interval(1, 29, 0.0061, 0.1718);
}

TEST(Wilson, IsSymmetricAndReachesTheEnds) {
  for (const std::int64_t n : {1, 2, 20, 10'000}) {
    EXPECT_EQ(wilson(0, n).low, 0);
    EXPECT_EQ(wilson(n, n).high, 1);
    EXPECT_LT(wilson(0, n).high, 1) << n;
    for (const std::int64_t k : {std::int64_t{0}, n / 3, n}) {
      EXPECT_NEAR(wilson(k, n).low, 1 - wilson(n - k, n).high, 1e-12) << k << " of " << n;
    }
  }
}

}  // namespace
}  // namespace holdfast
