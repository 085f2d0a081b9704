// The verdict of an exploration.
#include <gtest/gtest.h>

#include <algorithm>

#include "explore/explorer.hpp"
#include "explore/within_text.hpp"

namespace holdfast {
namespace {

TEST(Explored, HoldsNeedsACompleteSearchWithGrants) {
  Explored explored;
  EXPECT_EQ(explored.verdict(), "undecided") << "cut off";
  explored.grants = 7;
  EXPECT_EQ(explored.verdict(), "undecided") << "cut off";
  explored.numbers.complete = true;
  EXPECT_EQ(explored.verdict(), "holds");
  explored.grants = 0;
  EXPECT_EQ(explored.verdict(), "undecided") << "nobody ever had the lock";
}

TEST(Explored, SingleClientIsUndecided) {
  Explored explored;
  explored.grants = 7;
  explored.numbers.complete = true;
  explored.job.settings.clients = 1;
  EXPECT_EQ(explored.verdict(), "undecided");
}

TEST(Explored, OnlyKnownFindsGiveKnownVerdict) {
  Explored explored;
  explored.grants = 7;
  explored.numbers.complete = true;
  explored.passed_over.push_back({"mine.replay", "two_holders", "acquire of one client", false});
  EXPECT_EQ(explored.verdict(), "holds") << "what is known was not found";
  explored.passed_over.front().seen = true;
  EXPECT_EQ(explored.verdict(), "known");
  explored.untold = 1;
  EXPECT_EQ(explored.verdict(), "undecided") << "one was not told apart from it";
  explored.untold = 0;
  explored.numbers.complete = false;
  EXPECT_EQ(explored.verdict(), "undecided") << "cut off";
  explored.finds.push_back({{"two_holders", "", true}, {}, {}, {}, "release of one client"});
  EXPECT_EQ(explored.verdict(), "violated");
}

TEST(Explored, TextNamesBoundsAndExclusions) {
  Explored explored;
  explored.promised_lease_ms = 2000;
  EXPECT_EQ(within_text(explored),
            "2 clients, 2 rounds of 2 attempts, at most 2 preemptions, 2 time jumps and 1 fault; lease 2000 ms, start "
            "400 ms after a whole second");
  explored.numbers.complete = true;
  const auto plain = not_explored(explored);
  EXPECT_EQ(std::count(plain.begin(), plain.end(), "anything beyond the bounds, such as one more fault"), 1);
  explored.job.settings.lease_ms = 1900;
  explored.job.settings.shared_address = explored.job.settings.reenter = explored.job.settings.fine = true;
  explored.job.limits.bounds.faults = 2;
  EXPECT_EQ(
      within_text(explored),
      "2 clients, 2 rounds of 2 attempts, at most 2 preemptions, 2 time jumps and 2 faults; lease 2000 ms "
      "(rounded to whole seconds for its interface from 1900), start 400 ms after a whole second, one address for "
      "all, holders acquire again, answers arrive as separate steps");
  EXPECT_EQ(not_explored(explored).size(), plain.size() - 1) << "no load is left out";
  explored.lease = false;
  EXPECT_NE(within_text(explored).find("no lease"), std::string::npos);
}

TEST(Explored, OnlySevereFindsViolate) {
  Explored explored;
  explored.numbers.complete = true;
  explored.grants = 7;
  explored.finds.push_back({{"two_naive_holders", "", false}, {}, {}, {}, ""});
  EXPECT_EQ(explored.verdict(), "holds");
  explored.finds.push_back({{"two_holders", "", true}, {}, {}, {}, ""});
  EXPECT_EQ(explored.verdict(), "violated");
}

}  // namespace
}  // namespace holdfast
