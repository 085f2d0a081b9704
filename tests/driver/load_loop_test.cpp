// The one loop of all locks, on a driver that answers as the test says.
#include "driver/load_loop.hpp"

#include <gtest/gtest.h>

#include "tests/driver/scripted_load.hpp"

namespace holdfast {
namespace {

using Lines = std::vector<std::string>;

TEST(LoadLoop, ARoundIsAcquireWorkRelease) {
  ScriptedLoad load;
  EXPECT_EQ(load.run(),
            (Lines{"acquire o1", "granted 0", "begins 0", "writes 0", "release o1", "lets go 0", "held 1"}));
}

TEST(LoadLoop, ARefusalIsTriedAgainWithTheSameOwner) {
  ScriptedLoad load;
  load.driver.answers["acquire"] = {Answer::busy(), Answer::busy()};
  EXPECT_EQ(load.run(), (Lines{"acquire o1", "refused", "acquire o1", "refused", "acquire o1", "granted 0", "begins 0",
                               "writes 0", "release o1", "lets go 0", "held 1"}));
}

TEST(LoadLoop, GivesUpAfterTooManyRefusals) {
  ScriptedLoad load;
  load.stage.attempts = 1;
  load.driver.answers["acquire"] = {Answer::busy()};
  EXPECT_EQ(load.run(), (Lines{"acquire o1", "refused", "gives up", "held 0"}));
}

TEST(LoadLoop, UnwantedGrantIsReleasedAtOnce) {
  for (const Reason why : {Reason::cancelled, Reason::timeout}) {
    ScriptedLoad load;
    load.stage.attempts = 1;
    load.driver.answers["acquire"] = {Answer{EventType::ok, why, {}}};
    EXPECT_EQ(load.run(),
              (Lines{"acquire o1", "granted 0", "release o1", "lets go 0", "refused", "gives up", "held 0"}));
    EXPECT_EQ(load.driver.pulses, 0) << "it writes nothing";
  }
}

TEST(LoadLoop, RefusedCancelledAcquireIsAnOrdinaryRefusal) {
  ScriptedLoad load;
  load.stage.attempts = 1;
  load.driver.answers["acquire"] = {Answer{EventType::fail, Reason::cancelled, {}}};
  EXPECT_EQ(load.run(), (Lines{"acquire o1", "refused", "gives up", "held 0"}));
}

TEST(LoadLoop, AnAcquireWithoutASureAnswerEndsTheIdentity) {
  ScriptedLoad load;
  load.stage.attempts = 2;
  load.driver.answers["acquire"] = {Answer::uncertain(), Answer::busy()};
  EXPECT_EQ(load.run(), (Lines{"acquire o1", "retires", "refused", "acquire o2", "refused", "gives up", "held 0"}));
}

TEST(LoadLoop, UncertainAcquireIsCleanedUpFirst) {
  ScriptedLoad load;
  load.rules.cleans_up = true;
  load.stage.attempts = 1;
  load.driver.answers["acquire"] = {Answer::uncertain()};
  EXPECT_EQ(load.run(), (Lines{"acquire o1", "release o1", "retires", "refused", "gives up", "held 0"}));
}

TEST(LoadLoop, UncertainAcquireIsRetriedUntilSure) {
  ScriptedLoad load;
  load.rules.retries = true;
  load.driver.answers["acquire"] = {Answer::uncertain(), Answer::granted(7)};
  EXPECT_EQ(load.run().front(), "acquire o1");
  EXPECT_EQ(Lines(load.written.begin() + 1, load.written.begin() + 4), (Lines{"waits", "acquire o1", "granted 0"}));
}

// An error of the second attempt does not undo the first one's uncertainty; a refusal is the lock's own answer.
TEST(LoadLoop, AnErrorAfterAnOpenAttemptLeavesItOpen) {
  ScriptedLoad load;
  load.rules.retries = true;
  load.stage.attempts = 1;
  load.driver.answers["acquire"] = {Answer::uncertain(), {EventType::fail, Reason::other, {}}};
  EXPECT_EQ(load.run(), (Lines{"acquire o1", "waits", "acquire o1", "retires", "refused", "gives up", "held 0"}));
  ScriptedLoad refused;
  refused.rules.retries = true;
  refused.stage.attempts = 1;
  refused.driver.answers["acquire"] = {Answer::uncertain(), Answer::busy()};
  EXPECT_EQ(refused.run(), (Lines{"acquire o1", "waits", "acquire o1", "refused", "gives up", "held 0"}));
}

TEST(LoadLoop, NothingIsRetriedAtTheEndOfTheTrial) {
  ScriptedLoad load;
  load.rules.retries = true;
  load.stage.going = false;
  load.stage.attempts = 1;
  load.driver.answers["acquire"] = {Answer::uncertain()};
  EXPECT_EQ(load.run(), (Lines{"acquire o1", "retires", "refused", "gives up", "held 0"}));
}

TEST(LoadLoop, NotHeldRenewalEndsWithoutWriteOrRelease) {
  ScriptedLoad load;
  load.stage.renewals = 2;
  load.driver.answers["renew"] = {Answer::done(), Answer::not_held()};
  EXPECT_EQ(load.run(), (Lines{"acquire o1", "granted 0", "begins 0", "renew o1", "renew o1", "lets go 0", "held 1"}));
}

TEST(LoadLoop, ARenewalWithoutAnAnswerEndsNothing) {
  ScriptedLoad load;
  load.stage.renewals = 1;
  load.driver.answers["renew"] = {Answer::uncertain()};
  EXPECT_EQ(load.run(), (Lines{"acquire o1", "granted 0", "begins 0", "renew o1", "writes 0", "release o1", "lets go 0",
                               "held 1"}));
}

TEST(LoadLoop, PassedDeadlineLeavesWithoutAWrite) {
  ScriptedLoad load;
  load.driver.holds = false;
  EXPECT_EQ(load.run(), (Lines{"acquire o1", "granted 0", "begins 0", "too late", "lets go 0", "held 1"}));
}

TEST(LoadLoop, LossNoticeMakesTheClientLeave) {
  ScriptedLoad load;
  load.driver.lost = true;
  load.stage.renewals = 1;
  EXPECT_EQ(load.run(), (Lines{"acquire o1", "granted 0", "begins 0", "was told", "lets go 0", "held 1"}));
}

TEST(LoadLoop, ALockWithoutAReleaseIsLeft) {
  ScriptedLoad load;
  load.rules.releases = false;
  EXPECT_EQ(load.run(), (Lines{"acquire o1", "granted 0", "begins 0", "writes 0", "leaves", "lets go 0", "held 1"}));
}

TEST(LoadLoop, ReentranceAddsAnAcquireAndARelease) {
  ScriptedLoad load;
  load.rules.reenter = true;
  EXPECT_EQ(load.run(), (Lines{"acquire o1", "granted 0", "begins 0", "inner", "acquire o1", "inner", "release o1",
                               "writes 0", "release o1", "lets go 0", "held 1"}));
  ScriptedLoad refused;
  refused.rules.reenter = true;
  refused.driver.answers["acquire"] = {Answer::granted(), Answer::busy()};
  EXPECT_EQ(refused.run(), (Lines{"acquire o1", "granted 0", "begins 0", "inner", "acquire o1", "writes 0",
                                  "release o1", "lets go 0", "held 1"}));
}

TEST(LoadLoop, SeveralKeysAreLetGoLastFirst) {
  ScriptedLoad load;
  load.stage.keys = {4, 2};
  EXPECT_EQ(load.run(), (Lines{"acquire o1", "granted 4", "acquire o2", "granted 2", "begins 4", "begins 2", "writes 4",
                               "writes 2", "release o2", "lets go 2", "release o1", "lets go 4", "held 2"}));
}

TEST(LoadLoop, MissingOneKeyReleasesTheRest) {
  ScriptedLoad load;
  load.stage.keys = {4, 2};
  load.stage.attempts = 1;
  load.driver.answers["acquire"] = {Answer::granted(), Answer::busy()};
  EXPECT_EQ(load.run(), (Lines{"acquire o1", "granted 4", "acquire o2", "refused", "gives up", "release o1",
                               "lets go 4", "held 1"}));
}

// A leader of the kind that is called back: it asks nothing while it leads, and resigns when its stage says so.
TEST(LoadLoop, ALeaderThatIsCalledBackAsksNothingAndResigns) {
  ScriptedLoad load;
  load.rules.ticks = true;
  load.rules.asks_in_ticks = false;
  load.stage.ticks = 1;
  EXPECT_EQ(load.run(), (Lines{"acquire o1", "granted 0", "begins 0", "writes 0", "begins 0", "writes 0", "release o1",
                               "lets go 0", "held 1"}));
}

TEST(LoadLoop, DeposedLeaderNeitherWritesNorResigns) {
  ScriptedLoad load;
  load.rules.ticks = true;
  load.rules.asks_in_ticks = false;
  load.stage.ticks = 3;
  load.driver.lost = true;
  EXPECT_EQ(load.run(), (Lines{"acquire o1", "granted 0", "begins 0", "was told", "lets go 0", "held 1"}));
  ScriptedLoad asks;
  asks.rules.ticks = true;
  asks.stage.ticks = 3;
  asks.stage.lost_in_tick = &asks.driver.lost;
  EXPECT_EQ(asks.run(), (Lines{"acquire o1", "granted 0", "begins 0", "writes 0", "was told", "lets go 0", "held 1"}));
}

TEST(LoadLoop, ASchedulerIsNotAskedAndItsJobIsAGrant) {
  ScriptedLoad load;
  load.rules.scheduled = true;
  load.driver.jobs = 1;
  load.driver.stage_goes = &load.stage.going;
  load.stage.rounds = 2;
  EXPECT_EQ(load.run(), (Lines{"job o1", "granted 0", "begins 0", "writes 0", "release o1", "lets go 0", "held 1",
                               "gives up", "held 0"}));
}

TEST(LoadLoop, AJobThatIsLostIsNotReleased) {
  ScriptedLoad load;
  load.rules.scheduled = true;
  load.driver.jobs = 1;
  load.driver.lost = true;
  EXPECT_EQ(load.run(), (Lines{"job o1", "granted 0", "begins 0", "was told", "lets go 0", "held 1"}));
}

TEST(LoadLoop, LeaderWorksOnlyInConfirmedTicks) {
  ScriptedLoad load;
  load.rules.ticks = true;
  load.rules.releases = false;
  load.stage.ticks = 3;
  load.driver.answers["renew"] = {Answer::uncertain(), Answer::done(), Answer::not_held()};
  EXPECT_EQ(load.run(), (Lines{"acquire o1", "granted 0", "begins 0", "writes 0", "renew o1", "renew o1", "begins 0",
                               "writes 0", "renew o1", "lets go 0", "held 1"}));
}

}  // namespace
}  // namespace holdfast
