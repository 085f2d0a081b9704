// fencing: tokens that rise, tokens that do not, and writes with old ones.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "tests/checker/choices.hpp"
#include "tests/checker/history_builder.hpp"

namespace holdfast {
namespace {

const char* const kFencing = "fencing";

HistoryBuilder first_token(std::uint64_t token) {
  return HistoryBuilder::foreign("fenced").token(token).acquire(1, 0, 10).release(1, 20, 30);
}

TEST(Fencing, RisingTokensHold) {
  EXPECT_EQ(said(first_token(5).token(6).acquire(2, 40, 50).check(), kFencing), "holds");
}

TEST(Fencing, ATokenNotLargerThanAnEarlierGrantsIsAViolation) {
  const auto v = first_token(5).token(5).acquire(2, 40, 50).check();
  EXPECT_EQ(said(v, kFencing), "violated:algorithm");
  EXPECT_EQ(v.find(kFencing)->witnesses.at(0).indices, (std::vector<std::uint64_t>{1, 5}));
  EXPECT_EQ(said(first_token(5).token(4).acquire(2, 40, 50).check(), kFencing), "violated:algorithm");
}

TEST(Fencing, BeliefOrderCountsToo) {
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

TEST(Fencing, FaultInForceGivesTheKind) {
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

TEST(Fencing, OldTokenAcceptedByTheResourceIsAViolation) {
  auto story = HistoryBuilder::run(1000).token(1).acquire(1, 0, 10).token(2).acquire(2, 1100, 1110);
  story.write(1, 1200, 1210).token(2).accepted(2, 1, 0, 20).token(1).accepted(1, 1, 20, 10);
  EXPECT_EQ(said(story.check(), kFencing), "holds") << "a resource that does not look at tokens proves nothing";
  story.header([](HistoryHeader& h) { h.fenced_resource = true; });
  EXPECT_EQ(said(story.check(), kFencing), "violated:stale_write");
  auto foreign = HistoryBuilder::foreign("fenced").token(1).acquire(1, 0, 10).token(2).acquire(2, 20, 30);
  foreign.token(2).write(2, 40, 50).token(1);
  EXPECT_EQ(said(foreign.write(1, 60, 70).check(), kFencing), "violated:stale_write");
}

TEST(Fencing, PresentedStaleTokenExercisesIt) {
  auto story = HistoryBuilder::run(1000).token(1).acquire(1, 0, 10).token(2).acquire(2, 1100, 1110);
  EXPECT_EQ(said(story.check(), kFencing), "not_exercised");
  story.op(1, Op::write, 1200, 1210, EventType::fail, Reason::not_held);
  EXPECT_EQ(said(story.check(), kFencing), "holds");
  EXPECT_EQ(story.check().find(kFencing)->coverage.at("stale_tokens_presented"), 1);
  auto no_lease = HistoryBuilder::run(0).token(1).acquire(1, 0, 10);
  EXPECT_EQ(said(no_lease.check(), kFencing), "holds") << "nothing can lapse";
}

// Client 1 sets the lock, is stopped past its lease, and draws its token (`late`) only then; client 2 was granted the
// lock meanwhile with token 5, and holds it until `until`.
HistoryBuilder drawn_late(std::uint64_t late, std::int64_t until = 1700) {
  auto story = HistoryBuilder::run(1000).fault("pause", "", {1}, 50, 1500);
  story.header([](HistoryHeader& h) { h.fenced_resource = true; });
  story.token(late).acquire(1, 0, 1510).token(5).acquire(2, 1100, 1110);
  return story.release(2, until, until + 10).not_held(1, Op::release, 1800, 1810);
}

TEST(Fencing, ATokenDrawnAfterTheLeaseMustBeSmallerThanTheRightfulHolders) {
  EXPECT_EQ(said(drawn_late(6).check(), kFencing), "violated:drawn_late");
  EXPECT_EQ(said(drawn_late(5).check(), kFencing), "violated:drawn_late") << "equal tokens tell nobody apart";
  EXPECT_EQ(said(drawn_late(4).token(4).op(1, Op::write, 1600, 1610, EventType::fail).check(), kFencing), "holds")
      << "the resource refuses it";
  const auto v = drawn_late(6).check();
  const Witness& w = v.find(kFencing)->witnesses.at(0);
  EXPECT_EQ(w.clients, (std::vector<std::uint32_t>{1, 2})) << "the late one is blamed";
  EXPECT_NE(w.text.find("its lease ended at 1.000 s"), std::string::npos) << w.text;
}

TEST(Fencing, ARequestThatArrivesAfterTheOthersReleaseHasTheNewerToken) {
  EXPECT_EQ(said(drawn_late(6, 1500).token(6).op(1, Op::write, 1600, 1610, EventType::ok).check(), kFencing),
            "not_exercised")
      << "the lock may have been free when it was served";
  EXPECT_EQ(said(drawn_late(6, 1510).check(), kFencing), "not_exercised") << "equal times order nothing";
}

TEST(Fencing, ALateTokenIsJudgedInEachOrderOfTheGrants) {
  auto story = HistoryBuilder::run(1000).token(6).acquire(1, 0, 1010).token(5).acquire(2, 900, 1100);
  EXPECT_EQ(said(story.release(2, 1300, 1310).check(), kFencing), "violated:drawn_late")
      << "client 1 was answered first, when its lease was over";
  auto both = HistoryBuilder::run(1000).token(6).acquire(1, 300, 1210).token(5).acquire(2, 900, 1100);
  EXPECT_EQ(said(both.release(2, 1300, 1310).check(), kFencing), "not_exercised")
      << "each inside its lease: that is lease_exclusion's";
}

TEST(Fencing, OverrunReportsRefusedLateWrites) {
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
  const std::string knew = " refused by the resource, which had seen the newer token.";
  EXPECT_TRUE(ends(told(1, true), " The late write of client 1 was" + knew)) << told(1, true);
  EXPECT_TRUE(ends(told(3, true), " 3 late writes of client 1 were" + knew)) << told(3, true);
  EXPECT_FALSE(ends(told(0, true), knew));
  EXPECT_FALSE(ends(told(1, false), knew)) << "nothing compares tokens there";
}

TEST(Fencing, RefusedRightfulWriterIsNotLate) {
  const auto told = [](std::uint64_t token_of_the_late, std::uint32_t refused) {
    auto story = drawn_late(token_of_the_late);
    story.token(refused == 1 ? token_of_the_late : 5).op(refused, Op::write, 1600, 1610, EventType::fail);
    return story.check().find("mutual_exclusion")->witnesses.at(0).text;
  };
  const std::string knew = " refused by the resource, which had seen the newer token";
  const std::string wronged = told(6, 2);
  EXPECT_TRUE(wronged.ends_with(" The write of client 2 was" + knew + " of client 1, whose lease had expired."))
      << wronged;
  EXPECT_EQ(wronged.find("late write"), std::string::npos) << wronged;
  EXPECT_TRUE(told(4, 1).ends_with(" The late write of client 1 was" + knew + ".")) << told(4, 1);
}

// The order of tokens against brute force: every order in which a lock that excludes can have served two grants.
// Calls and answers come at even times, leases end at odd ones; the lock serves at any whole number.
constexpr std::int64_t kLeaseOfTwo_ms = 21;

struct GrantOfTwo {
  std::int64_t sent, told, released;
  std::uint64_t token;

  std::int64_t free_from(std::int64_t served) const { return std::min(served + kLeaseOfTwo_ms, released); }
  bool overlaps(const GrantOfTwo& other) const {
    return std::max(told, other.told) < std::min(released, other.released);
  }
};

bool can_be_first(const GrantOfTwo& first, const GrantOfTwo& second) {
  for (std::int64_t served = first.sent; served <= first.told; ++served) {
    if (std::max(first.free_from(served), second.sent) <= second.told) return true;
  }
  return false;
}

bool excludes(const GrantOfTwo& a, const GrantOfTwo& b) {
  return can_be_first(a, b) || can_be_first(b, a);
}

bool tokens_rise(const GrantOfTwo& a, const GrantOfTwo& b) {
  return (can_be_first(a, b) && a.token < b.token) || (can_be_first(b, a) && b.token < a.token);
}

// Calls and answers of two, no two of one moment.
std::vector<GrantOfTwo> two_grants(Choices& choose) {
  std::int64_t at[2] = {0, 2};
  std::vector<GrantOfTwo> out;
  for (std::int64_t& now : at) {
    const auto later = [&] { return now += 4 * (1 + choose.below(choose.one_in(3) ? 12 : 4)); };
    const std::int64_t sent = later();
    const std::int64_t told = later();
    out.push_back({sent, told, later(), 1 + static_cast<std::uint64_t>(choose.below(3))});
  }
  return out;
}

std::string judged(const std::vector<GrantOfTwo>& grants) {
  HistoryBuilder story = HistoryBuilder::foreign("fenced").lease(kLeaseOfTwo_ms);
  for (std::uint32_t client = 0; client < grants.size(); ++client) {
    const GrantOfTwo& g = grants[client];
    story.token(g.token).acquire(client, g.sent, g.told).release(client, g.released, g.released + 1);
  }
  return said(story.check(), "fencing");
}

RC_GTEST_PROP(FencingRandom, RisingTokensAreNeverAViolation, (std::vector<std::uint8_t> bytes)) {
  Choices choose(std::move(bytes));
  const std::vector<GrantOfTwo> grants = two_grants(choose);
  if (!tokens_rise(grants[0], grants[1])) return;
  RC_CLASSIFY(grants[0].overlaps(grants[1]), "both believed at one time");
  RC_ASSERT(judged(grants) == "holds");
}

RC_GTEST_PROP(FencingRandom, WrongOrderOfOverlappingBeliefsIsFound, (std::vector<std::uint8_t> bytes)) {
  Choices choose(std::move(bytes));
  const std::vector<GrantOfTwo> grants = two_grants(choose);
  if (!grants[0].overlaps(grants[1]) || !excludes(grants[0], grants[1])) return;
  const bool either = can_be_first(grants[0], grants[1]) && can_be_first(grants[1], grants[0]);
  if (either && grants[0].token == grants[1].token) return;  // not decided
  const bool wrong = !tokens_rise(grants[0], grants[1]);
  RC_CLASSIFY(wrong, "a wrong order");
  RC_ASSERT((judged(grants) != "holds") == wrong);
}

}  // namespace
}  // namespace holdfast
