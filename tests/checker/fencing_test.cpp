// fencing: tokens that rise, tokens that do not, and writes with old ones.
#include <gtest/gtest.h>

#include "tests/checker/history_builder.hpp"

namespace holdfast {
namespace {

const char* const kName = "fencing";

HistoryBuilder first_token(std::uint64_t token) {
  return HistoryBuilder::bare("fenced").token(token).acquire(1, 0, 10).release(1, 20, 30);
}

TEST(Fencing, TokensThatRiseHold) {
  EXPECT_EQ(said(first_token(5).token(6).acquire(2, 40, 50).check(), kName), "holds");
}

TEST(Fencing, ATokenNotLargerThanAnEarlierGrantsIsAViolation) {
  const auto v = first_token(5).token(5).acquire(2, 40, 50).check();
  EXPECT_EQ(said(v, kName), "violated:algorithm");
  EXPECT_EQ(v.find(kName)->witnesses.at(0).indices, (std::vector<std::uint64_t>{1, 5}));
  EXPECT_EQ(said(first_token(5).token(4).acquire(2, 40, 50).check(), kName), "violated:algorithm");
}

TEST(Fencing, TheOrderOfBeliefsCountsToo) {
  EXPECT_EQ(said(first_token(5).token(4).acquire(2, 5, 50).check(), kName), "violated:algorithm")
      << "asked for before the first was granted, but granted after it was given up";
}

TEST(Fencing, ConcurrentGrantsAreNotOrdered) {
  auto story = HistoryBuilder::bare("fenced").token(5).acquire(1, 0, 10).token(5).acquire(2, 5, 15);
  EXPECT_EQ(said(story.check(), kName), "holds");
  auto tie = HistoryBuilder::bare("fenced").token(5).acquire(1, 0, 10).token(5).acquire(2, 10, 15);
  EXPECT_EQ(said(tie.check(), kName), "holds") << "equal times order nothing";
}

TEST(Fencing, KeysHaveTheirOwnTokens) {
  EXPECT_EQ(said(first_token(5).on(1).token(1).acquire(2, 40, 50).check(), kName), "holds");
}

TEST(Fencing, AFaultThatActedGivesTheKind) {
  auto story = HistoryBuilder::run(0).token(5).acquire(1, 0, 10).release(1, 20, 30).token(5).acquire(2, 40, 50);
  EXPECT_EQ(said(story.check(), kName), "violated:algorithm");
  story.fault("kill_server", "server_lost_state", {}, 32, 38);
  EXPECT_EQ(said(story.check(), kName), "violated:server_lost_state");
}

TEST(Fencing, AReentrantGrantRepeatsItsToken) {
  auto story = HistoryBuilder::bare("fenced").token(5).acquire(1, 0, 10).token(5).acquire(1, 20, 30);
  EXPECT_EQ(said(story.check(), kName), "holds");
}

TEST(Fencing, AGrantWithoutATokenIsUndecided) {
  EXPECT_EQ(said(HistoryBuilder::bare("fenced").acquire(1, 0, 10).check(), kName), "undecided");
  EXPECT_EQ(said(HistoryBuilder::bare("fenced").refused(1, 0, 10).check(), kName), "not_exercised");
}

TEST(Fencing, AnOldTokenThatTheResourceAccepts) {
  auto story = HistoryBuilder::run(1000).token(1).acquire(1, 0, 10).token(2).acquire(2, 1100, 1110);
  story.write(1, 1200, 1210).token(2).accepted(2, 1, 0, 20).token(1).accepted(1, 1, 20, 10);
  EXPECT_EQ(said(story.check(), kName), "holds") << "a resource that does not look at tokens proves nothing";
  story.header([](HistoryHeader& h) { h.fenced_resource = true; });
  EXPECT_EQ(said(story.check(), kName), "violated:stale_write");
  auto bare = HistoryBuilder::bare("fenced").token(1).acquire(1, 0, 10).token(2).acquire(2, 20, 30);
  bare.token(2).write(2, 40, 50).token(1);
  EXPECT_EQ(said(bare.write(1, 60, 70).check(), kName), "violated:stale_write");
}

TEST(Fencing, IsExercisedByAStaleTokenPresented) {
  auto story = HistoryBuilder::run(1000).token(1).acquire(1, 0, 10).token(2).acquire(2, 1100, 1110);
  EXPECT_EQ(said(story.check(), kName), "not_exercised");
  story.op(1, Op::write, 1200, 1210, EventType::fail, Reason::not_held);
  EXPECT_EQ(said(story.check(), kName), "holds");
  EXPECT_EQ(story.check().find(kName)->exposure.at("stale_tokens_presented"), 1);
  auto no_lease = HistoryBuilder::run(0).token(1).acquire(1, 0, 10);
  EXPECT_EQ(said(no_lease.check(), kName), "holds") << "nothing can lapse";
}

}  // namespace
}  // namespace holdfast
