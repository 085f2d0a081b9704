// Causes: what makes two finds the same story, and what does not.
#include "explore/story.hpp"

#include <gtest/gtest.h>

namespace holdfast {
namespace {

StoryStep step(const char* name, Op op) {
  return {number_of_statement(name), op, false};
}

// An operation of one statement.
void does(ScheduleStory& story, std::uint32_t client, const char* name, Op op, bool changed = true) {
  story.asked(client);
  story.executed(client, step(name, op), changed);
  story.answered(client, op, true);
}

// `first` holds, time passes, `second` takes over, `first` frees what is the other's.
ScheduleStory foreign_release(std::uint32_t first, std::uint32_t second, const char* release = "release") {
  ScheduleStory story;
  does(story, first, "acquire", Op::acquire);
  story.time_passed();
  does(story, second, "acquire", Op::acquire);
  story.asked(first);
  story.executed(first, step(release, Op::release), true);
  return story;
}

TEST(Story, IsTheSameForAnyAssignmentOfClients) {
  EXPECT_EQ(foreign_release(0, 1).print(false), foreign_release(2, 0).print(false));
  EXPECT_EQ(foreign_release(0, 1).text(false),
            "between acquire and release of one client, acquire of another; time passed");
  EXPECT_EQ(foreign_release(0, 1).text(false), foreign_release(2, 0).text(false));
}

TEST(Story, PassedTimeMattersButNotItsLength) {
  ScheduleStory once = foreign_release(0, 1);
  ScheduleStory twice;
  does(twice, 0, "acquire", Op::acquire);
  twice.time_passed();
  twice.time_passed();
  does(twice, 1, "acquire", Op::acquire);
  twice.executed(0, step("release", Op::release), true);
  EXPECT_EQ(once.print(false), twice.print(false));
  ScheduleStory none;
  does(none, 0, "acquire", Op::acquire);
  does(none, 1, "acquire", Op::acquire);
  none.executed(0, step("release", Op::release), true);
  EXPECT_NE(once.print(false), none.print(false));
  EXPECT_EQ(none.text(false), "between acquire and release of one client, acquire of another");
}

TEST(Story, DifferentDecisiveStatementIsADifferentCause) {
  EXPECT_NE(foreign_release(0, 1).print(false), foreign_release(0, 1, "delete").print(false));
}

TEST(Story, NamesThePlaceInsideTheOperation) {
  ScheduleStory between;  // B's whole acquire between A's look and A's write
  between.asked(0);
  between.executed(0, step("select", Op::acquire), false);
  does(between, 1, "insert", Op::acquire);
  between.executed(0, step("insert", Op::acquire), true);
  ScheduleStory after;  // and before both
  does(after, 1, "insert", Op::acquire);
  after.asked(0);
  after.executed(0, step("select", Op::acquire), false);
  after.executed(0, step("insert", Op::acquire), true);
  EXPECT_EQ(between.text(false), "between acquire.select and acquire.insert of one client, acquire.insert of another");
  EXPECT_EQ(after.text(false), "acquire.insert of one client, after acquire.insert of another, which has not released");
  EXPECT_NE(between.print(false), after.print(false));
}

TEST(Story, NamesTheMistakeOfTwoHolders) {
  const auto story = [](bool between, bool passes, bool struck) {
    ScheduleStory out;
    if (!between) does(out, 1, "insert", Op::acquire);
    out.asked(0);
    out.executed(0, step("select", Op::acquire), false);
    if (between) does(out, 1, "insert", Op::acquire);
    if (passes) out.time_passed();
    if (struck) out.struck(1, WordKind::lost, step("insert", Op::acquire));
    out.executed(0, step("insert", Op::acquire), true);
    return out.flaw("two_holders");
  };
  EXPECT_NE(story(true, false, false).find("acquire.select and acquire.insert are two steps"), std::string::npos);
  EXPECT_NE(story(true, true, false).find("time passes between acquire.select and acquire.insert"), std::string::npos);
  EXPECT_NE(story(false, false, false).find("acquire.insert succeeds while another client holds the lock"),
            std::string::npos);
  EXPECT_NE(story(false, true, false).find("before the holder's lease has ended"), std::string::npos);
  EXPECT_EQ(story(true, false, true), "") << "the fault may be all that it takes";
  EXPECT_EQ(ScheduleStory().flaw("two_holders"), "");
}

TEST(Story, NamesAQueryThatLockedNothing) {
  const auto story = [](bool finds_nothing, bool locks = true) {
    ScheduleStory out;
    out.asked(0);
    out.executed(0, step("look", Op::acquire), false);
    if (finds_nothing) out.found_nothing(0, locks);
    out.executed(0, step("insert", Op::acquire), true);
    does(out, 1, "commit", Op::acquire);
    out.executed(0, step("commit", Op::acquire), true);
    return out.flaw("two_holders");
  };
  EXPECT_NE(story(true).find("acquire.look finds no row, and so locks nothing"), std::string::npos) << story(true);
  EXPECT_NE(story(true, false).find("acquire.look is a plain SELECT: it locks nothing"), std::string::npos)
      << story(true, false);
  EXPECT_NE(story(false).find("acquire.insert and acquire.commit are two steps"), std::string::npos) << story(false);
}

TEST(Story, NamesAGrantThatIsRolledBack) {
  const auto story = [](const char* end) {
    ScheduleStory out;
    does(out, 1, "update", Op::acquire);
    out.asked(0);
    out.executed(0, step("update", Op::acquire), true);
    out.executed(0, step(end, Op::acquire), true);
    return out.flaw("two_holders");
  };
  EXPECT_NE(story("rollback").find("acquire ends with ROLLBACK"), std::string::npos) << story("rollback");
  EXPECT_EQ(story("commit").find("ROLLBACK"), std::string::npos);
}

TEST(Story, NamesALockThatEndsWithItsTransaction) {
  const auto story = [](const char* statement) {
    ScheduleStory out;
    does(out, 1, statement, Op::acquire);
    does(out, 0, statement, Op::acquire);
    return out.flaw("two_holders");
  };
  EXPECT_NE(story("pg_try_advisory_xact_lock").find("ends with its transaction"), std::string::npos);
  EXPECT_EQ(story("pg_try_advisory_lock").find("transaction"), std::string::npos);
}

TEST(Story, NamesTheCallThatLeavesTheLockStuck) {
  const auto story = [](Op op, bool changed) {
    ScheduleStory out;
    out.asked(0);
    out.executed(0, step("eval", op), changed);
    return out.stuck_by(0);
  };
  EXPECT_EQ(story(Op::renew, false).call, "renew.eval of one client");
  EXPECT_NE(story(Op::renew, false).flaw.find("although it does not find its own lock, leaves an entry that never"),
            std::string::npos);
  EXPECT_EQ(story(Op::acquire, false).call, "acquire.eval of one client that is refused");
  EXPECT_NE(story(Op::acquire, true).flaw.find("makes an entry that never expires"), std::string::npos);
  EXPECT_NE(story(Op::release, true).flaw.find("Delete the whole entry"), std::string::npos);
  EXPECT_EQ(ScheduleStory().stuck_by(0).call, "");
}

TEST(Story, NamesAnErrorThatTheClientTookForAGrant) {
  const auto story = [](Op op) {
    ScheduleStory out;
    does(out, 1, "insert", Op::acquire);
    out.asked(0);
    out.executed(0, step("insert", op), false);
    out.refused(0, "error 1213: Deadlock found");
    out.executed(0, step("rollback", op), true);
    out.answered(0, op, true);
    return out.flaw("two_holders");
  };
  EXPECT_NE(story(Op::acquire).find("answers acquire.insert with error 1213: Deadlock found, and acquire says granted"),
            std::string::npos)
      << story(Op::acquire);
  EXPECT_EQ(story(Op::renew).find("1213"), std::string::npos);
}

TEST(Story, AnErrorAfterWhichTheStatementSucceedsIsNotSwallowed) {
  ScheduleStory out;
  does(out, 1, "insert", Op::acquire);
  out.asked(0);
  out.executed(0, step("insert", Op::acquire), false);
  out.refused(0, "error 1213: Deadlock found");
  out.executed(0, step("insert", Op::acquire), true);
  out.answered(0, Op::acquire, true);
  EXPECT_EQ(out.flaw("two_holders").find("1213"), std::string::npos) << out.flaw("two_holders");
}

TEST(Story, NamesTheBackgroundRequestThatLetTheSecondOneIn) {
  const auto story = [](std::uint32_t of, bool changed) {
    ScheduleStory out;
    does(out, 0, "set", Op::acquire);
    out.executed(of, {number_of_statement("eval"), Op::write, true}, changed);
    does(out, 1, "set", Op::acquire);
    return out.flaw("two_holders");
  };
  EXPECT_NE(story(1, true).find("background eval of the client that is granted next comes first"), std::string::npos)
      << story(1, true);
  EXPECT_NE(story(0, true).find("background eval of the holder"), std::string::npos) << story(0, true);
  EXPECT_EQ(story(1, false).find("background"), std::string::npos) << story(1, false);
}

TEST(Story, NamesTheBackgroundRequestThatTookTheLockAway) {
  const auto story = [](std::uint32_t of) {
    ScheduleStory out;
    does(out, 0, "set", Op::acquire);
    out.executed(of, {number_of_statement("eval"), Op::write, true}, true);
    out.asked(0);
    out.executed(0, step("del", Op::release), false);
    return out.flaw("lost_inside_lease");
  };
  EXPECT_NE(story(1).find("before it came background eval of another client"), std::string::npos) << story(1);
  EXPECT_NE(story(0).find("before it came background eval of the holder itself"), std::string::npos) << story(0);
}

TEST(Story, NamesWhatAnUngrantedAcquireLeavesBehind) {
  const auto story = [](bool answered, Op op) {
    ScheduleStory out;
    does(out, 0, "set", Op::acquire);
    does(out, 0, "del", Op::release);
    out.asked(1);
    out.executed(1, step("rpush", op), true);
    if (answered) out.answered(1, op, true);
    out.ended(1);
    return out.flaw("stuck");
  };
  EXPECT_NE(
      story(false, Op::acquire).find("acquire.rpush takes effect, but its client is not granted the lock afterwards"),
      std::string::npos)
      << story(false, Op::acquire);
  EXPECT_EQ(story(true, Op::acquire), "") << "it is the lock of a holder that died";
  EXPECT_EQ(story(false, Op::release), "");
  ScheduleStory died;
  does(died, 0, "eval", Op::acquire);
  died.ended(0);
  died.asked(1);
  died.executed(1, step("eval", Op::acquire), true);
  died.answered(1, Op::acquire, false);
  EXPECT_EQ(died.flaw("stuck"), "") << "the entry of the holder that died keeps the others out";
}

TEST(Story, ALockThatNoClientTookIsLookedForElsewhere) {
  const auto story = [](bool taken) {
    ScheduleStory out;
    does(out, 0, "acquire", Op::acquire);
    if (taken) does(out, 1, "acquire", Op::acquire);
    out.asked(0);
    out.executed(0, step("release", Op::release), false);
    return out.flaw("lost_inside_lease");
  };
  EXPECT_NE(story(false).find("release finds the lock gone before its lease has ended"), std::string::npos);
  EXPECT_EQ(story(true), "");
}

TEST(Story, GrantsWithoutChangesCountAndReleasedOnesDoNot) {
  ScheduleStory granted;
  does(granted, 0, "get_lock", Op::acquire, false);
  granted.executed(1, step("get_lock", Op::acquire), false);
  EXPECT_EQ(granted.text(false),
            "acquire.get_lock of one client, after acquire.get_lock of another, which has not released");
  ScheduleStory free;
  does(free, 0, "acquire", Op::acquire);
  does(free, 0, "release", Op::release);
  free.executed(1, step("acquire", Op::acquire), true);
  EXPECT_EQ(free.text(false), "acquire of one client");
}

TEST(Story, FaultsNameTheirVictim) {
  ScheduleStory lost = foreign_release(0, 1);
  lost.struck(1, WordKind::lost, step("acquire", Op::acquire));
  EXPECT_EQ(
      lost.text(false),
      "between acquire and release of one client, acquire of another; time passed; lost reply of another's acquire");
  ScheduleStory mine = foreign_release(0, 1);
  mine.struck(0, WordKind::lost, step("acquire", Op::acquire));
  EXPECT_NE(lost.print(false), mine.print(false));
  EXPECT_NE(lost.print(false), foreign_release(0, 1).print(false));
}

TEST(Story, FinalRefusalIsNotACauseOfStuck) {
  ScheduleStory story;
  does(story, 0, "acquire", Op::acquire);
  story.struck_after(0, WordKind::crash);
  story.ended(0);
  const std::string cause = "acquire of one client; crash of one after acquire";
  EXPECT_EQ(story.text(true), cause);
  story.executed(1, step("acquire", Op::acquire), false);  // refused
  EXPECT_EQ(story.text(true), cause);
}

}  // namespace
}  // namespace holdfast
