// fencing: tokens that rise, tokens that do not, and writes with old ones.
#include <gtest/gtest.h>

#include "tests/checker/history_builder.hpp"

namespace holdfast {
namespace {

const char* const kFencing = "fencing";

HistoryBuilder first_token(std::uint64_t token) {
  return HistoryBuilder::foreign("fenced").token(token).acquire(1, 0, 10).release(1, 20, 30);
}

TEST(Fencing, TokensThatRiseHold) {
  EXPECT_EQ(said(first_token(5).token(6).acquire(2, 40, 50).check(), kFencing), "holds");
}

TEST(Fencing, ATokenNotLargerThanAnEarlierGrantsIsAViolation) {
  const auto v = first_token(5).token(5).acquire(2, 40, 50).check();
  EXPECT_EQ(said(v, kFencing), "violated:algorithm");
  EXPECT_EQ(v.find(kFencing)->witnesses.at(0).indices, (std::vector<std::uint64_t>{1, 5}));
  EXPECT_EQ(said(first_token(5).token(4).acquire(2, 40, 50).check(), kFencing), "violated:algorithm");
}

TEST(Fencing, TheOrderOfBeliefsCountsToo) {
  EXPECT_EQ(said(first_token(5).token(4).acquire(2, 5, 50).check(), kFencing), "violated:algorithm")
      << "asked for before the first was granted, but granted after it was given up";
}

TEST(Fencing, ConcurrentGrantsAreNotOrdered) {
  auto story = HistoryBuilder::foreign("fenced").token(5).acquire(1, 0, 10).token(5).acquire(2, 5, 15);
  EXPECT_EQ(said(story.check(), kFencing), "holds");
  auto tie = HistoryBuilder::foreign("fenced").token(5).acquire(1, 0, 10).token(5).acquire(2, 10, 15);
  EXPECT_EQ(said(tie.check(), kFencing), "holds") << "equal times order nothing";
}

TEST(Fencing, KeysHaveTheirOwnTokens) {
  EXPECT_EQ(said(first_token(5).on(1).token(1).acquire(2, 40, 50).check(), kFencing), "holds");
}

TEST(Fencing, AFaultThatActedGivesTheKind) {
  auto story = HistoryBuilder::run(0).token(5).acquire(1, 0, 10).release(1, 20, 30).token(5).acquire(2, 40, 50);
  EXPECT_EQ(said(story.check(), kFencing), "violated:algorithm");
  story.fault("kill_server", "server_lost_state", {}, 32, 38);
  EXPECT_EQ(said(story.check(), kFencing), "violated:server_lost_state");
}

TEST(Fencing, AReentrantGrantRepeatsItsToken) {
  auto story = HistoryBuilder::foreign("fenced").token(5).acquire(1, 0, 10).token(5).acquire(1, 20, 30);
  EXPECT_EQ(said(story.check(), kFencing), "holds");
}

TEST(Fencing, AGrantWithoutATokenIsUndecided) {
  EXPECT_EQ(said(HistoryBuilder::foreign("fenced").acquire(1, 0, 10).check(), kFencing), "undecided");
  EXPECT_EQ(said(HistoryBuilder::foreign("fenced").refused(1, 0, 10).check(), kFencing), "not_exercised");
}

TEST(Fencing, AnOldTokenThatTheResourceAccepts) {
  auto story = HistoryBuilder::run(1000).token(1).acquire(1, 0, 10).token(2).acquire(2, 1100, 1110);
  story.write(1, 1200, 1210).token(2).accepted(2, 1, 0, 20).token(1).accepted(1, 1, 20, 10);
  EXPECT_EQ(said(story.check(), kFencing), "holds") << "a resource that does not look at tokens proves nothing";
  story.header([](HistoryHeader& h) { h.fenced_resource = true; });
  EXPECT_EQ(said(story.check(), kFencing), "violated:stale_write");
  auto foreign = HistoryBuilder::foreign("fenced").token(1).acquire(1, 0, 10).token(2).acquire(2, 20, 30);
  foreign.token(2).write(2, 40, 50).token(1);
  EXPECT_EQ(said(foreign.write(1, 60, 70).check(), kFencing), "violated:stale_write");
}

TEST(Fencing, IsExercisedByAStaleTokenPresented) {
  auto story = HistoryBuilder::run(1000).token(1).acquire(1, 0, 10).token(2).acquire(2, 1100, 1110);
  EXPECT_EQ(said(story.check(), kFencing), "not_exercised");
  story.op(1, Op::write, 1200, 1210, EventType::fail, Reason::not_held);
  EXPECT_EQ(said(story.check(), kFencing), "holds");
  EXPECT_EQ(story.check().find(kFencing)->coverage.at("stale_tokens_presented"), 1);
  auto no_lease = HistoryBuilder::run(0).token(1).acquire(1, 0, 10);
  EXPECT_EQ(said(no_lease.check(), kFencing), "holds") << "nothing can lapse";
}

TEST(Fencing, AnOverrunWhoseLateWritesWereRefusedSaysSo) {
  const auto told = [](int refused, bool fenced) {
    auto story = HistoryBuilder::run(1000).fault("pause", "", {1}, 50, 1150);
    story.header([&](HistoryHeader& h) { h.fenced_resource = fenced; });
    story.token(1).acquire(1, 0, 10).token(2).acquire(2, 1100, 1110);
    for (int i = 0; i < refused; ++i) {
      story.token(1).op(1, Op::write, 1200 + 20 * i, 1210 + 20 * i, EventType::fail);
    }
    const auto v = story.release(1, 1400, 1410).release(2, 1500, 1510).check();
    return v.find("mutual_exclusion")->witnesses.at(0).text;
  };
  const auto ends = [](const std::string& text, const std::string& end) { return text.ends_with(end); };
  const std::string knew = " refused by the resource, which knew the newer token.";
  EXPECT_TRUE(ends(told(1, true), " The late write of client 1 was" + knew)) << told(1, true);
  EXPECT_TRUE(ends(told(3, true), " 3 late writes of client 1 were" + knew)) << told(3, true);
  EXPECT_FALSE(ends(told(0, true), knew));
  EXPECT_FALSE(ends(told(1, false), knew)) << "nothing compares tokens there";
}

}  // namespace
}  // namespace holdfast
