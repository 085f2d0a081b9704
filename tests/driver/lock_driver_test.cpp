// Exceptions of a lock become outcomes: surely nothing, or perhaps something.
#include "driver/lock_driver.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <utility>

namespace holdfast {
namespace {

class ChangingSession : public Session {
 public:
  Reply attempt(std::string_view, Params) override { return {}; }
  std::int64_t now_ns() override { return 0; }
  std::int64_t steady_ns() override { return 0; }
  void sleep_ms(std::int64_t) override {}
  std::string address() const override { return ""; }
  bool take_changed() override { return std::exchange(changed, false); }
  bool changed = false;
};

class Throwing : public Lock {
 public:
  explicit Throwing(std::function<Answer()> what) : what_(std::move(what)) {}
  Answer acquire(Session&, Claim&) override { return what_(); }
  bool still_held(Session&, const Claim&) override { return what_().type == EventType::ok; }

 private:
  std::function<Answer()> what_;
};

struct Driven {
  ChangingSession session;
  LockDriver driver;
  Claim claim;
  explicit Driven(std::function<Answer()> what) : driver(std::make_shared<Throwing>(std::move(what)), session) {}
  Answer acquire() { return driver.acquire(claim); }
};

TEST(LockDriver, OutcomeIsTheLocksAnswer) {
  Driven granted([] { return Answer::granted(7); });
  EXPECT_EQ(granted.acquire().token, 7u);
  EXPECT_EQ(granted.driver.why(), "");
  EXPECT_FALSE(granted.driver.unexpected());
}

TEST(LockDriver, LostAnswerIsUncertain) {
  Driven lost([]() -> Answer { throw StatementFailed(false, Reason::timeout, 0, "no answer"); });
  EXPECT_EQ(lost.acquire().type, EventType::info);
  EXPECT_EQ(lost.driver.why(), "no answer");
  EXPECT_FALSE(lost.driver.unexpected());
}

TEST(LockDriver, DefiniteFailureDidNothing) {
  Driven refused([]() -> Answer { throw StatementFailed(Reply::refused(ErrorKind::conflict, 7, "deadlock"), "x"); });
  const Answer answer = refused.acquire();
  EXPECT_EQ(answer.type, EventType::fail);
  EXPECT_EQ(answer.reason, Reason::conflict);
  EXPECT_FALSE(refused.driver.unexpected());
}

TEST(LockDriver, EarlierChangeMakesAFailureUncertain) {
  Driven half([]() -> Answer { throw StatementFailed(Reply::refused(ErrorKind::conflict, 7, "deadlock"), "x"); });
  half.session.changed = true;
  EXPECT_EQ(half.acquire().type, EventType::fail) << "that was before this call";
  Driven* self = nullptr;
  Driven changes([&self]() -> Answer {
    self->session.changed = true;
    throw StatementFailed(Reply::refused(ErrorKind::conflict, 7, "deadlock"), "x");
  });
  self = &changes;
  EXPECT_EQ(changes.acquire().type, EventType::info);
}

TEST(LockDriver, AnErrorThatNoLockExpectsIsNamed) {
  Driven broken(
      []() -> Answer { throw StatementFailed(Reply::refused(ErrorKind::unknown, 1146, "no table"), "no table"); });
  EXPECT_EQ(broken.acquire().type, EventType::fail);
  EXPECT_TRUE(broken.driver.unexpected());
  EXPECT_EQ(broken.driver.why(), "no table");
}

TEST(LockDriver, UncertainHoldCheckCountsAsNotHeld) {
  Driven blind([]() -> Answer { throw StatementFailed(false, Reason::timeout, 0, "no answer"); });
  EXPECT_FALSE(blind.driver.still_held(blind.claim));
  Driven sees([] { return Answer::done(); });
  EXPECT_TRUE(sees.driver.still_held(sees.claim));
}

}  // namespace
}  // namespace holdfast
