// The control page: a client stops at the n-th passing of the point that a trigger names, and at no other.
#include "control/control_page.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <thread>
#include <vector>

namespace holdfast {
namespace {

constexpr Point kGranted{Phase::granted, nullptr, false};
constexpr int kLong_ms = 10'000;
constexpr int kShort_ms = 30;

Point statement(const char* name, bool after) {
  return {{}, name, after};
}

// Runs `passings` on a thread of its own, as a client does; answers the order of the last.
class Passing {
 public:
  Passing(ControlPage& page, std::uint32_t client, std::vector<Point> points)
      : thread_([&page, client, points, this] {
          for (const auto& point : points) last_ = arrive(page, client, point, nullptr);
        }) {}
  ~Passing() {
    if (thread_.joinable()) thread_.join();
  }
  Order end() {
    thread_.join();
    return last_;
  }

 private:
  Order last_ = Order::go_on;
  std::thread thread_;
};

class Control : public testing::Test {
 protected:
  Trigger& armed(const Point& at, std::int32_t client = -1, std::int64_t nth = 1, std::size_t number = 0) {
    Trigger& trigger = page->triggers.at(number);
    trigger.phase = at.phase;
    trigger.on_statement = at.statement != nullptr;
    if (trigger.on_statement) std::strcpy(trigger.statement.data(), at.statement);
    trigger.after = at.after;
    trigger.client = client;
    trigger.nth = nth;
    arm(*page, trigger);
    return trigger;
  }
  // Whether the trigger stops a client that passes these points; lets it go on.
  bool stops(Trigger& trigger, std::uint32_t client, const std::vector<Point>& points) {
    Passing passing(*page, client, points);
    const bool reached = wait_reached(trigger, kShort_ms);
    if (reached || !disarm(trigger)) answer(trigger, Order::go_on);
    passing.end();
    return reached;
  }

  SharedPage page = SharedPage::create();
};

TEST_F(Control, NobodyIsStoppedWithoutATrigger) {
  EXPECT_EQ(arrive(*page, 0, kGranted, nullptr), Order::go_on);
  Trigger& trigger = armed(kGranted);
  ASSERT_TRUE(disarm(trigger));
  EXPECT_EQ(arrive(*page, 0, kGranted, nullptr), Order::go_on);
}

TEST_F(Control, StopsAtItsPhaseOnly) {
  EXPECT_TRUE(stops(armed(kGranted), 0, {kGranted}));
  EXPECT_FALSE(stops(armed(kGranted), 0, {{Phase::refused, nullptr, false}, statement("granted", false)}));
}

TEST_F(Control, StopsAtItsStatementOnlyAndOnItsSide) {
  EXPECT_TRUE(stops(armed(statement("insert", true)), 0, {statement("insert", true)}));
  EXPECT_FALSE(stops(armed(statement("insert", true)), 0, {statement("insert", false)}));
  EXPECT_FALSE(stops(armed(statement("insert", false)), 0, {statement("insert", true)}));
  EXPECT_FALSE(stops(armed(statement("insert", false)), 0, {statement("insert2", false), kGranted}));
}

TEST_F(Control, StopsItsClientOnly) {
  EXPECT_TRUE(stops(armed(kGranted, 3), 3, {kGranted}));
  EXPECT_FALSE(stops(armed(kGranted, 3), 2, {kGranted, kGranted}));
}

TEST_F(Control, CountsToTheNthPassing) {
  EXPECT_FALSE(stops(armed(kGranted, -1, 3), 0, {kGranted, kGranted}));
  EXPECT_TRUE(stops(armed(kGranted, -1, 3), 0, {kGranted, kGranted, kGranted}));
  Trigger& trigger = armed(kGranted, -1, 2);  // of all clients together
  EXPECT_EQ(arrive(*page, 0, kGranted, nullptr), Order::go_on);
  EXPECT_TRUE(stops(trigger, 1, {kGranted}));
  EXPECT_EQ(trigger.reached_by.load(), 1u);
  Trigger& own = armed(kGranted, 5, 2);  // of that client alone
  EXPECT_EQ(arrive(*page, 0, kGranted, nullptr), Order::go_on);
  EXPECT_FALSE(stops(own, 5, {kGranted}));
}

TEST_F(Control, OnlyOneOfManyIsStopped) {
  Trigger& trigger = armed(kGranted, -1, 50);
  std::vector<std::thread> clients;
  for (std::uint32_t c = 0; c < 4; ++c) {
    clients.emplace_back([&, c] {
      for (int i = 0; i < 25; ++i) arrive(*page, c, kGranted, nullptr);
    });
  }
  EXPECT_TRUE(wait_reached(trigger, kLong_ms));
  answer(trigger, Order::go_on);
  for (auto& client : clients) client.join();
  EXPECT_GE(trigger.passed.load(), 50);
}

TEST_F(Control, BringsTheOrderBack) {
  for (const Order order : {Order::go_on, Order::lose_reply}) {
    Trigger& trigger = armed(kGranted);
    Passing passing(*page, 0, {kGranted});
    ASSERT_TRUE(wait_reached(trigger, kLong_ms));
    answer(trigger, order);
    EXPECT_EQ(passing.end(), order);
  }
}

TEST_F(Control, AWaitingClientShowsItself) {
  Trigger& trigger = armed(kGranted);
  std::atomic<int> shown{0};
  std::thread client([&] { arrive(*page, 0, kGranted, [&] { ++shown; }); });
  ASSERT_TRUE(wait_reached(trigger, kLong_ms));
  for (int waited_ms = 0; shown.load() < 3 && waited_ms < kLong_ms; ++waited_ms) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_GE(shown.load(), 3);
  answer(trigger, Order::go_on);
  client.join();
}

TEST_F(Control, DisarmSaysWhetherItCameInTime) {
  Trigger& trigger = armed(kGranted);
  EXPECT_FALSE(wait_reached(trigger, 1));
  EXPECT_TRUE(disarm(trigger));
  EXPECT_FALSE(disarm(trigger)) << "it is not armed any more";
  Trigger& late = armed(kGranted);
  Passing passing(*page, 0, {kGranted});
  ASSERT_TRUE(wait_reached(late, kLong_ms));
  EXPECT_FALSE(disarm(late));
  answer(late, Order::go_on);
}

TEST_F(Control, ReadsWhenAndWhere) {
  page->zero_ns = monotonic_ns();
  const std::int64_t before_ns = monotonic_ns() - page->zero_ns;
  Trigger& trigger = armed(kGranted, -1, 1, 15);  // the last one there is
  EXPECT_TRUE(stops(trigger, 9, {kGranted}));
  EXPECT_GE(trigger.reached_ns.load(), before_ns);
  EXPECT_LE(trigger.reached_ns.load(), monotonic_ns() - page->zero_ns);
  EXPECT_EQ(trigger.reached_by.load(), 9u);
}

TEST(Phases, HaveOneNameEach) {
  for (const auto& name : phase_names()) {
    const auto phase = phase_from_text(name);
    ASSERT_TRUE(phase.has_value());
    EXPECT_EQ(phase_names().at(static_cast<std::size_t>(*phase)), name);
  }
  EXPECT_FALSE(phase_from_text("critical_sektion").has_value());
}

}  // namespace
}  // namespace holdfast
