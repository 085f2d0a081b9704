// Facts about a lock from a trial's history.
#include "generate/generated_suite.hpp"

#include <gtest/gtest.h>

#include "tests/generate/told_history.hpp"

namespace holdfast {
namespace {

using NameList = std::vector<std::string>;

TEST(LockFacts, StatementPathsAreOrderedAndGroupedByOutcome) {
  ToldHistory history;
  history.answered(Op::acquire, EventType::ok, Reason::none, {"select", "insert"});
  history.answered(Op::acquire, EventType::fail, Reason::busy, {"select"});
  history.answered(Op::renew, EventType::ok, Reason::none, {"renew"});
  history.answered(Op::release, EventType::ok, Reason::none, {"release"});
  const LockFacts facts = read_facts(history);
  ASSERT_EQ(facts.shapes.size(), 4U);
  EXPECT_EQ(facts.of(Situation::granted).at(0).statements, (NameList{"select", "insert"}));
  EXPECT_EQ(facts.of(Situation::refused).at(0).statements, (NameList{"select"}));
  EXPECT_EQ(facts.of(Situation::renewed).at(0).statements, (NameList{"renew"}));
  EXPECT_EQ(facts.of(Situation::released).at(0).statements, (NameList{"release"}));
}

TEST(LockFacts, PathsAreUniqueTheUsualOneFirst) {
  ToldHistory history;
  history.answered(Op::acquire, EventType::ok, Reason::none, {"select", "take_over"});
  history.answered(Op::acquire, EventType::ok, Reason::none, {"select", "insert"});
  history.answered(Op::acquire, EventType::ok, Reason::none, {"select", "insert"});
  const auto granted = read_facts(history).of(Situation::granted);
  ASSERT_EQ(granted.size(), 2U);
  EXPECT_EQ(granted[0].statements, (NameList{"select", "insert"}));
  EXPECT_EQ(granted[0].seen, 2);
  EXPECT_EQ(granted[1].statements, (NameList{"select", "take_over"}));
}

// Cut short by a fault, or refused for another reason: not how the lock works.
TEST(LockFacts, AbnormalEndsAreLeftOut) {
  ToldHistory history;
  history.answered(Op::acquire, EventType::info, Reason::timeout, {"select"});
  history.answered(Op::acquire, EventType::fail, Reason::conflict, {"select"});
  history.answered(Op::release, EventType::fail, Reason::not_held, {"release"});
  EXPECT_TRUE(read_facts(history).shapes.empty());
}

TEST(LockFacts, AJobGivenUpAtItsDeadlineShowsThatTheLockLooks) {
  ToldHistory history;
  history.answered(Op::leave, EventType::ok, Reason::none, {});
  EXPECT_FALSE(read_facts(history).looks_at_deadline);
  ToldHistory looked;
  looked.answered(Op::leave, EventType::ok, Reason::deadline, {});
  EXPECT_TRUE(read_facts(looked).looks_at_deadline);
}

TEST(LockFacts, RequestsAreCountedByTheOperationInWhichTheyWereSent) {
  ToldHistory history;
  const std::int64_t acquired_ns = history.answered(Op::acquire, EventType::ok, Reason::none, {});
  const std::int64_t refused_ns = history.answered(Op::acquire, EventType::fail, Reason::busy, {});
  const std::vector<SentRequest> requests{{0, "acquire", 1, acquired_ns},
                                          {0, "acquire", 2, acquired_ns},
                                          {0, "acquire", 1, refused_ns},
                                          {0, "release", 7, refused_ns},
                                          {9, "acquire", 7, refused_ns}};
  const LockFacts facts = read_facts(history, requests);
  EXPECT_EQ(facts.requests_of(Situation::granted), 2);
  EXPECT_EQ(facts.requests_of(Situation::refused), 1) << "neither another operation's nor another client's";
  EXPECT_EQ(facts.requests_of(Situation::released), 0);
}

}  // namespace
}  // namespace holdfast
