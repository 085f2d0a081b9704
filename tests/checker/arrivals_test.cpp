// Arrivals that have not left keep their order, and a departure at either end examines no other entry.
#include "checker/arrivals.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace holdfast {
namespace {

std::vector<int> those_in(const Arrivals<int>& arrivals) {
  const auto all = arrivals.all();
  return {all.begin(), all.end()};
}

TEST(Arrivals, MatchAPlainList) {
  std::mt19937 random(7);
  Arrivals<int> arrivals;
  std::vector<int> plain;
  for (int i = 0; i < 20'000; ++i) {
    const int who = static_cast<int>(random() % 40);
    const auto at = std::find(plain.begin(), plain.end(), who);
    if (at == plain.end() && random() % 3 != 0) {
      arrivals.push_back(who);
      plain.push_back(who);
    } else {
      arrivals.erase(who);  // nothing, where it is not there
      if (at != plain.end()) plain.erase(at);
    }
    ASSERT_EQ(those_in(arrivals), plain) << "after " << i;
    ASSERT_EQ(arrivals.empty(), plain.empty());
  }
}

// Counts how often one is compared with another.
struct Counted {
  int number = 0;
  bool operator==(const Counted& other) const {
    ++compared;
    return number == other.number;
  }
  static inline int compared = 0;
};

TEST(Arrivals, LeaveAtEitherEndInConstantTime) {
  constexpr int kMany = 20'000;
  for (const bool reverse : {false, true}) {
    Arrivals<Counted> arrivals;
    for (int i = 0; i < kMany; ++i) arrivals.push_back({i});
    Counted::compared = 0;
    for (int i = 0; i < kMany; ++i) arrivals.erase(Counted{reverse ? kMany - 1 - i : i});
    EXPECT_TRUE(arrivals.empty());
    EXPECT_LE(Counted::compared, 4 * kMany) << "reverse: " << reverse;
  }
}

}  // namespace
}  // namespace holdfast
