// Threads side by side: all are joined, whatever one of them throws.
#include "lab/workers.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <set>
#include <stdexcept>

namespace holdfast {
namespace {

TEST(Workers, EachHasANumber) {
  std::mutex mutex;
  std::set<int> seen;
  side_by_side(5, [&](int number) {
    const std::lock_guard guard(mutex);
    seen.insert(number);
  });
  EXPECT_EQ(seen, (std::set<int>{0, 1, 2, 3, 4}));
}

TEST(Workers, ExceptionIsRethrownAfterAllHaveEnded) {
  std::atomic<int> ended{0};
  EXPECT_THROW(side_by_side(4,
                            [&](int number) {
                              if (number == 2) throw std::runtime_error("one failed");
                              ++ended;
                            }),
               std::runtime_error);
  EXPECT_EQ(ended.load(), 3);
}

}  // namespace
}  // namespace holdfast
