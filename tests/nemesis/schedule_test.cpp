// The fault that makes clients follow a schedule, in a world that obeys and one that does not.
#include <gtest/gtest.h>

#include "nemesis/nemesis.hpp"
#include "tests/nemesis/fake_world.hpp"
#include "tests/nemesis/fault_specs.hpp"
#include "tests/refusal.hpp"

namespace holdfast {
namespace {

FaultSpec schedule(const std::string& words, const std::string& target = "everyone") {
  return fault_spec("schedule", R"("at": {"time_ms": 0})",
                    R"(, "target": ")" + target + R"(", "words": ")" + words + '"');
}

NemesisReport followed(FakeWorld& world, const FaultSpec& spec) {
  const std::vector<FaultSpec> specs{spec};
  Nemesis nemesis(world, specs, {});
  nemesis.start();
  return nemesis.finish();
}

TEST(Schedule, GivesTurnsInOrderThenFreesAll) {
  FakeWorld world;
  const auto report = followed(world, schedule("A B +0.2s A!lost B!cut C!crash"));
  EXPECT_EQ(report.errors, std::vector<std::string>{});
  const auto told = world.told();
  const std::vector<std::string> turns(told.begin() + 5, told.begin() + 10);
  EXPECT_EQ(turns, (std::vector<std::string>{"turn 0", "turn 1", "turn and loss 0", "end connection 1", "kill 2"}));
  EXPECT_EQ(told.back(), "let go 4");
}

TEST(Schedule, CrashedClientCannotFollow) {
  FakeWorld world;
  const auto report = followed(world, schedule("A A!crash A"));
  ASSERT_EQ(report.errors.size(), 1U);
  EXPECT_EQ(report.errors[0], "fault schedule: word 3, 'A', could not be followed: client 0 is gone");
}

TEST(Schedule, WaitingStatementMustBeAnsweredForItsNextTurn) {
  FakeWorld world;
  world.waits_in_statement = 1;
  const auto report = followed(world, schedule("A B A B"));
  ASSERT_EQ(report.errors.size(), 1U);
  EXPECT_EQ(report.errors[0], "fault schedule: word 4, 'B', could not be followed: its statement is not answered");
  EXPECT_EQ(world.told().back(), "let go 4") << "all are let go all the same";
}

TEST(Schedule, UngatedClientIsAnError) {
  FakeWorld world;
  const auto report = followed(world, schedule("A B", "client:0"));
  ASSERT_EQ(report.errors.size(), 1U);
  EXPECT_TRUE(
      contains(report.errors[0], "client 1 is not under the schedule's control; remedy: use the target everyone"))
      << report.errors[0];
}

TEST(Schedule, WordsThatRealProcessesCannotFollowAreRefused) {
  for (const char* word : {"A!late", "A!arrives", "A!victim", "A!ahead", "a"}) {
    const std::string why = refusal([&] { make_fault(schedule(word)); });
    EXPECT_TRUE(contains(why, "x.json:1: faults[0].words: '" + std::string(word) + "'")) << why;
  }
  EXPECT_TRUE(contains(refusal([] { make_fault(schedule("A?")); }), "is not a word of a schedule"));
}

}  // namespace
}  // namespace holdfast
