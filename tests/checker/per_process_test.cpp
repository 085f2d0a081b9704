#include "checker/holds.hpp"

#include <gtest/gtest.h>

#include <rapidcheck/gtest.h>

#include <map>
#include <string>

namespace holdfast {
namespace {

TEST(PerProcess, ForgottenEntryIsMadeAgain) {
  PerProcess<std::string> said;
  said[3] = "three";
  said[70] = "seventy";
  const std::string* const kept = said.find(70);
  said.forget(3);
  said.forget(3);
  said.forget(1000);
  EXPECT_EQ(said.find(3), nullptr);
  EXPECT_EQ(said.find(70), kept);
  EXPECT_EQ(said[3], "");
}

RC_GTEST_PROP(PerProcessRandom, BehavesLikeAMap, (const std::vector<std::pair<std::uint16_t, bool>>& steps)) {
  PerProcess<int> states;
  std::map<std::uint32_t, int> expected;
  int step = 0;
  for (const auto& [number, forgotten] : steps) {
    const std::uint32_t process = number % 300;
    if (forgotten) {
      states.forget(process);
      expected.erase(process);
    } else {
      states[process] += ++step;
      expected[process] += step;
    }
    RC_ASSERT((states.find(process) == nullptr) == forgotten);
  }
  std::map<std::uint32_t, int> seen;
  states.each([&](std::uint32_t process, int state) { seen[process] = state; });
  RC_ASSERT(seen == expected);
}

}  // namespace
}  // namespace holdfast
