// The invariants, each shown to fire and to stay silent.
#include "explore/beliefs.hpp"

#include <gtest/gtest.h>

namespace holdfast {
namespace {

constexpr std::int64_t kLease_us = 2'000'000;

class BeliefsTest : public testing::Test {
 protected:
  void grant(Beliefs& beliefs, std::uint32_t client, std::int64_t asked_us, std::int64_t got_us,
             const Answer& answer = Answer::granted()) {
    beliefs.asked(client, Op::acquire, asked_us);
    beliefs.answered(client, Op::acquire, answer, kLease_us, got_us);
  }
  static std::string seen(const Beliefs& beliefs) {
    std::string out;
    for (const auto& violation : beliefs.violations()) out += violation.invariant + (violation.severe ? "! " : " ");
    return out;
  }
  LockType lease_;
  Beliefs beliefs_{lease_, 2};
};

TEST_F(BeliefsTest, TwoInsideTheirLeasesAreSevere) {
  grant(beliefs_, 0, 0, 10);
  grant(beliefs_, 1, 100, 110);
  EXPECT_EQ(seen(beliefs_), "two_holders! ");
}

TEST_F(BeliefsTest, LeaseCountsFromTheRequest) {
  grant(beliefs_, 0, 0, 1'000'000);
  EXPECT_TRUE(beliefs_.careful(0, kLease_us - 1));
  EXPECT_FALSE(beliefs_.careful(0, kLease_us));
  grant(beliefs_, 1, 1'500'000, kLease_us);
  EXPECT_EQ(seen(beliefs_), "two_naive_holders ") << "only who does not look at its clock is still there";
}

TEST_F(BeliefsTest, CallOfReleaseEndsTheBelief) {
  grant(beliefs_, 0, 0, 10);
  beliefs_.asked(0, Op::release, 20);
  grant(beliefs_, 1, 30, 40);
  EXPECT_EQ(seen(beliefs_), "");
}

TEST_F(BeliefsTest, AnInnerReleaseEndsAHoldThatBeganAfterTheLease) {
  grant(beliefs_, 0, 0, 10);
  grant(beliefs_, 0, kLease_us + 10, kLease_us + 20);
  EXPECT_TRUE(beliefs_.careful(0, kLease_us + 30));
  beliefs_.asked(0, Op::write, kLease_us + 30);
  beliefs_.answered(0, Op::write, Answer::done(), kLease_us, kLease_us + 40);
  grant(beliefs_, 1, kLease_us + 50, kLease_us + 60);
  EXPECT_EQ(seen(beliefs_), "two_naive_holders ");
}

TEST_F(BeliefsTest, AnInnerReleaseDoesNotEndAHoldThatWasExtended) {
  grant(beliefs_, 0, 0, 10);
  grant(beliefs_, 0, 100, 110);
  beliefs_.asked(0, Op::write, 200);
  beliefs_.answered(0, Op::write, Answer::done(), kLease_us, 210);
  grant(beliefs_, 1, 300, 310);
  EXPECT_EQ(seen(beliefs_), "two_holders! ");
}

TEST_F(BeliefsTest, ARenewalProlongsAndARefusedOneEnds) {
  grant(beliefs_, 0, 0, 10);
  beliefs_.asked(0, Op::renew, 1'000'000);
  beliefs_.answered(0, Op::renew, Answer::uncertain(), kLease_us, 1'000'010);
  EXPECT_FALSE(beliefs_.careful(0, kLease_us)) << "what may not have been done prolongs nothing";
  beliefs_.asked(0, Op::renew, 1'100'000);
  beliefs_.answered(0, Op::renew, Answer::done(), kLease_us, 1'100'010);
  EXPECT_TRUE(beliefs_.careful(0, kLease_us));
  beliefs_.asked(0, Op::renew, 1'200'000);
  beliefs_.answered(0, Op::renew, Answer::not_held(), kLease_us, 1'200'010);
  EXPECT_FALSE(beliefs_.naive(0));
}

TEST_F(BeliefsTest, ARenewalThatIsGrantedTooLateMakesASecondHolder) {
  grant(beliefs_, 0, 0, 10);
  grant(beliefs_, 1, kLease_us, kLease_us + 10);
  EXPECT_EQ(seen(beliefs_), "two_naive_holders ");
  beliefs_.asked(0, Op::renew, kLease_us + 20);
  beliefs_.answered(0, Op::renew, Answer::done(), kLease_us, kLease_us + 30);
  EXPECT_EQ(seen(beliefs_), "two_naive_holders two_holders! ");
}

TEST_F(BeliefsTest, FreeingOrRenewingAnothersLockIsForeign) {
  grant(beliefs_, 0, 0, 10);
  grant(beliefs_, 1, kLease_us, kLease_us + 10);
  const std::int64_t late_us = kLease_us + 100;
  beliefs_.changed({1, 1, Op::renew, false}, late_us);
  EXPECT_EQ(seen(beliefs_), "two_naive_holders ") << "its own";
  beliefs_.asked(0, Op::release, late_us);
  beliefs_.changed({0, 1, Op::release, false}, late_us);
  beliefs_.changed({0, 1, Op::renew, true}, late_us);
  EXPECT_EQ(seen(beliefs_), "two_naive_holders foreign_release! foreign_renew! ");
}

TEST_F(BeliefsTest, ReleaseOfAnEarlierGrantIsForeign) {
  grant(beliefs_, 0, 0, 10);
  beliefs_.asked(0, Op::release, 20);
  beliefs_.changed({0, 1, Op::release, false}, 30);
  EXPECT_EQ(seen(beliefs_), "");
  grant(beliefs_, 0, 40, 50);
  beliefs_.changed({0, 1, Op::release, false}, 60);
  EXPECT_EQ(seen(beliefs_), "foreign_release! ");
}

TEST_F(BeliefsTest, NotHeldInsideTheLeaseIsALoss) {
  grant(beliefs_, 0, 0, 10);
  beliefs_.asked(0, Op::renew, kLease_us);
  beliefs_.answered(0, Op::renew, Answer::not_held(), kLease_us, kLease_us);
  EXPECT_EQ(seen(beliefs_), "") << "its lease was over when it asked";
  grant(beliefs_, 1, kLease_us, kLease_us + 10);
  const auto release = [this](const Answer& answer, std::int64_t answered_us) {
    beliefs_.asked(1, Op::release, kLease_us + 20);
    beliefs_.answered(1, Op::release, answer, kLease_us, answered_us);
    return seen(beliefs_);
  };
  EXPECT_EQ(release(Answer::uncertain(), kLease_us + 30), "");
  grant(beliefs_, 1, kLease_us, kLease_us + 10);
  EXPECT_EQ(release(Answer::not_held(), 2 * kLease_us), "") << "it was over when the answer came";
  grant(beliefs_, 1, kLease_us, kLease_us + 10);
  EXPECT_EQ(release(Answer::not_held(), kLease_us + 30), "lost_inside_lease! ");
}

TEST_F(BeliefsTest, BeliefWithoutALeaseHasNoEnd) {
  LockType type;
  type.lease = false;
  Beliefs beliefs(type, 2);
  grant(beliefs, 0, 0, 10);
  grant(beliefs, 1, 100 * kLease_us, 100 * kLease_us + 10);
  EXPECT_EQ(seen(beliefs), "two_holders! ");
  Beliefs others(type, 2);
  grant(others, 0, 0, 10);
  others.ended(0);
  grant(others, 1, 20, 30);
  EXPECT_EQ(seen(others), "");
}

TEST_F(BeliefsTest, AFencedLockIsJudgedByItsTokens) {
  LockType type;
  type.fenced = true;
  Beliefs beliefs(type, 2);
  grant(beliefs, 0, 0, 10, Answer::granted(7));
  grant(beliefs, 1, kLease_us, kLease_us + 10, Answer::granted(8));
  EXPECT_EQ(seen(beliefs), "") << "the resource refuses the naive one";
  grant(beliefs, 0, 2 * kLease_us, 2 * kLease_us + 10, Answer::granted(8));
  EXPECT_EQ(seen(beliefs), "token_order! ");
}

TEST_F(BeliefsTest, LateTokenMustBeOlderThanTheHolders) {
  LockType type;
  type.fenced = true;
  const auto told = [&](std::uint64_t late, std::int64_t told_us) {
    Beliefs beliefs(type, 2);
    beliefs.asked(0, Op::acquire, 0);
    grant(beliefs, 1, kLease_us, kLease_us + 10, Answer::granted(7));
    beliefs.answered(0, Op::acquire, Answer::granted(late), kLease_us, told_us);
    return seen(beliefs);
  };
  EXPECT_EQ(told(8, kLease_us + 20), "token_order! ") << "drawn when the other had its own";
  EXPECT_EQ(told(7, kLease_us + 20), "token_order! ");
  EXPECT_EQ(told(6, kLease_us + 20), "") << "the resource refuses it";
  EXPECT_EQ(told(8, 2 * kLease_us), "") << "the other's lease is over, too: it may have been served after that";
}

TEST_F(BeliefsTest, LateTokenMustBeNewerThanEarlierOnes) {
  LockType type;
  type.fenced = true;
  Beliefs beliefs(type, 2);
  grant(beliefs, 0, 0, 10, Answer::granted(7));
  grant(beliefs, 1, kLease_us, 2 * kLease_us, Answer::granted(7));
  EXPECT_EQ(seen(beliefs), "token_order! ");
}

TEST_F(BeliefsTest, PositiveLookDuringAnothersHoldIsFalse) {
  grant(beliefs_, 0, 0, 10);
  beliefs_.looks(0, kLease_us + 5);
  beliefs_.looked(0, true, kLease_us + 5);
  EXPECT_EQ(seen(beliefs_), "") << "its lease is over, and nobody else has it";
  beliefs_.looks(0, kLease_us + 5);
  grant(beliefs_, 1, kLease_us + 10, kLease_us + 20);
  beliefs_.looked(0, true, kLease_us + 30);
  EXPECT_EQ(seen(beliefs_), "two_naive_holders ") << "the other came while it looked";
  beliefs_.looks(0, kLease_us + 40);
  beliefs_.looked(0, true, kLease_us + 40);
  EXPECT_EQ(seen(beliefs_), "two_naive_holders false_look! ");
}

TEST_F(BeliefsTest, NegativeLookEndsTheBelief) {
  grant(beliefs_, 0, 0, 10);
  beliefs_.looks(0, 20);
  beliefs_.looked(0, false, 20);
  EXPECT_FALSE(beliefs_.naive(0));
  grant(beliefs_, 1, 30, 40);
  EXPECT_EQ(seen(beliefs_), "");
}

TEST_F(BeliefsTest, StatesDifferByBelievers) {
  const std::uint64_t nobody = beliefs_.state();
  grant(beliefs_, 0, 0, 10);
  EXPECT_NE(beliefs_.state(), nobody);
  beliefs_.reset();
  EXPECT_EQ(beliefs_.state(), nobody);
}

}  // namespace
}  // namespace holdfast
