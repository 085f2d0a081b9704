// What is read of a lock from a trial's history.
#include "generate/generated_suite.hpp"

#include <gtest/gtest.h>

#include "tests/generate/told_history.hpp"

namespace holdfast {
namespace {

using Shape = std::vector<std::string>;

TEST(LockFacts, StatementsAreToldInOrderAndByWhatTheyCameTo) {
  ToldHistory history;
  history.answered(Op::acquire, EventType::ok, Reason::none, {"select", "insert"});
  history.answered(Op::acquire, EventType::fail, Reason::busy, {"select"});
  history.answered(Op::renew, EventType::ok, Reason::none, {"renew"});
  history.answered(Op::release, EventType::ok, Reason::none, {"release"});
  const LockFacts facts = read_facts(history);
  ASSERT_EQ(facts.shapes.size(), 4U);
  EXPECT_EQ(facts.of(Situation::granted).at(0).statements, (Shape{"select", "insert"}));
  EXPECT_EQ(facts.of(Situation::refused).at(0).statements, (Shape{"select"}));
  EXPECT_EQ(facts.of(Situation::renewed).at(0).statements, (Shape{"renew"}));
  EXPECT_EQ(facts.of(Situation::released).at(0).statements, (Shape{"release"}));
}

TEST(LockFacts, EachPathIsToldOnceTheUsualOneFirst) {
  ToldHistory history;
  history.answered(Op::acquire, EventType::ok, Reason::none, {"select", "take_over"});
  history.answered(Op::acquire, EventType::ok, Reason::none, {"select", "insert"});
  history.answered(Op::acquire, EventType::ok, Reason::none, {"select", "insert"});
  const auto granted = read_facts(history).of(Situation::granted);
  ASSERT_EQ(granted.size(), 2U);
  EXPECT_EQ(granted[0].statements, (Shape{"select", "insert"}));
  EXPECT_EQ(granted[0].seen, 2);
  EXPECT_EQ(granted[1].statements, (Shape{"select", "take_over"}));
}

// Cut short by a fault, or refused for another reason: not how the lock works.
TEST(LockFacts, WhatEndedOtherwiseIsLeftOut) {
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

}  // namespace
}  // namespace holdfast
