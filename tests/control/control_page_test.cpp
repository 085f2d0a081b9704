// The control page: a client stops at the n-th passing of the point that a trigger names, and at no other.
#include "control/control_page.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <thread>
#include <vector>

#include "artifact/poll_until.hpp"

namespace holdfast {
namespace {

constexpr ClientPosition kGranted{Phase::granted, nullptr, false};
constexpr int kLongWait_ms = 10'000;
constexpr int kShort_ms = 30;

ClientPosition statement(const char* name, bool after) {
  return {{}, name, after};
}

// Runs `passings` on a thread of its own, as a client does; answers the order of the last.
class Passing {
 public:
  Passing(ControlPage& page, std::uint32_t client, std::vector<ClientPosition> points)
      : thread_([&page, client, points, this] {
          for (const auto& point : points) last_ = arrive(page, client, point, nullptr);
        }) {}
  ~Passing() {
    if (thread_.joinable()) thread_.join();
  }
  PointAction end() {
    thread_.join();
    return last_;
  }

 private:
  PointAction last_ = PointAction::go_on;
  std::thread thread_;
};

class Control : public testing::Test {
 protected:
  ArmedPoint& armed(const ClientPosition& at, std::int32_t client = -1, std::int64_t nth = 1, std::size_t number = 0) {
    ArmedPoint& point = page->armed_points.at(number);
    point.phase = at.phase;
    point.on_statement = at.statement != nullptr;
    if (point.on_statement) std::strcpy(point.statement.data(), at.statement);
    point.after = at.after;
    point.client = client;
    point.nth = nth;
    arm(*page, point);
    return point;
  }
  // True if the point stops a client that passes these points; lets it go on.
  bool stops(ArmedPoint& point, std::uint32_t client, const std::vector<ClientPosition>& points) {
    Passing passing(*page, client, points);
    const bool reached = wait_reached(point, kShort_ms);
    if (reached || !disarm(point)) answer(point, PointAction::go_on);
    passing.end();
    return reached;
  }

  SharedPage page = SharedPage::create();
};

TEST_F(Control, WithoutATriggerNoClientStops) {
  EXPECT_EQ(arrive(*page, 0, kGranted, nullptr), PointAction::go_on);
  ArmedPoint& point = armed(kGranted);
  ASSERT_TRUE(disarm(point));
  EXPECT_EQ(arrive(*page, 0, kGranted, nullptr), PointAction::go_on);
}

TEST_F(Control, StopsAtItsPhaseOnly) {
  EXPECT_TRUE(stops(armed(kGranted), 0, {kGranted}));
  EXPECT_FALSE(stops(armed(kGranted), 0, {{Phase::refused, nullptr, false}, statement("granted", false)}));
}

TEST_F(Control, StopsAtANumberedStatement) {
  const auto numbered = [](std::int64_t number, bool after) {
    ClientPosition point = statement("any", after);
    point.number = number;
    return point;
  };
  page->armed_points.at(0).request = 2;
  EXPECT_TRUE(stops(armed(statement("", true)), 0, {numbered(1, true), numbered(2, true)}));
  EXPECT_FALSE(stops(armed(statement("", true)), 0, {numbered(1, true), numbered(2, false), numbered(0, true)}));
}

TEST_F(Control, StopsAtItsStatementOnlyAndOnItsSide) {
  EXPECT_TRUE(stops(armed(statement("insert", true)), 0, {statement("insert", true)}));
  EXPECT_FALSE(stops(armed(statement("insert", true)), 0, {statement("insert", false)}));
  EXPECT_FALSE(stops(armed(statement("insert", false)), 0, {statement("insert", true)}));
  EXPECT_FALSE(stops(armed(statement("insert", false)), 0, {statement("insert2", false), kGranted}));
}

TEST_F(Control, CountsOnlyTargets) {
  const auto stopped = [this](ClientRole whom, const ClientState& standing) {
    page->armed_points[0].whom = whom;
    return stops(armed(kGranted), 0, {{Phase::granted, nullptr, false, standing}});
  };
  ClientState idle;
  ClientState holder;
  holder.believes = true;
  ClientState waiter;
  waiter.waits = true;
  EXPECT_TRUE(stopped(ClientRole::anyone, idle));
  EXPECT_FALSE(stopped(ClientRole::holder, idle));
  EXPECT_FALSE(stopped(ClientRole::waiter, idle));
  EXPECT_TRUE(stopped(ClientRole::holder, holder));
  EXPECT_FALSE(stopped(ClientRole::waiter, holder));
  EXPECT_FALSE(stopped(ClientRole::holder, waiter));
  EXPECT_TRUE(stopped(ClientRole::waiter, waiter));
  page->armed_points[0].whom = ClientRole::waiter;
  ArmedPoint& second = armed(kGranted, -1, 2);
  arrive(*page, 0, kGranted, nullptr);
  arrive(*page, 0, {Phase::granted, nullptr, false, waiter}, nullptr);
  EXPECT_EQ(second.passed.load(), 1) << "the n-th counts those only";
}

TEST_F(Control, StopsInItsOperationOnly) {
  const auto stopped = [this](Asking of, const ClientState& state) {
    page->armed_points[0].of = of;
    const ClientPosition point{{}, "commit", false, state};
    return stops(armed(point), 0, {point});
  };
  ClientState renews;
  renews.asking = Asking::renew;
  EXPECT_TRUE(stopped(Asking::renew, renews));
  EXPECT_TRUE(stopped(Asking::nothing, renews));
  EXPECT_FALSE(stopped(Asking::release, renews));
  EXPECT_FALSE(stopped(Asking::renew, {}));
  page->armed_points[0].of = Asking::release;
  EXPECT_TRUE(stops(armed({Phase::before_release}), 0, {{Phase::before_release}})) << "a phase says it by itself";
}

TEST_F(Control, StopsWhileItsKeyIsFreeOrHeld) {
  const auto stopped = [this](KeyIs key, std::int32_t of, bool believes_this = false) {
    page->armed_points[0].key = key;
    return stops(armed(kGranted), 0, {{Phase::granted, nullptr, false, {{}, of, believes_this, believes_this, false}}});
  };
  EXPECT_TRUE(stopped(KeyIs::free, 2));
  EXPECT_FALSE(stopped(KeyIs::held, 2));
  page->clients[0].believes[2].store(1);
  EXPECT_TRUE(stopped(KeyIs::free, 2, true)) << "its own belief is not another's";
  EXPECT_FALSE(stopped(KeyIs::held, 2, true));
  page->clients[4].believes[2].store(1);
  EXPECT_FALSE(stopped(KeyIs::free, 2, true));
  EXPECT_TRUE(stopped(KeyIs::held, 2, true));
  EXPECT_TRUE(stopped(KeyIs::free, 3)) << "another key";
  page->clients[4].gone.store(1);
  EXPECT_TRUE(stopped(KeyIs::free, 2, true)) << "who was killed believes nothing";
  EXPECT_FALSE(stopped(KeyIs::free, -1)) << "busy with no key";
  EXPECT_FALSE(stopped(KeyIs::held, -1));
}

TEST_F(Control, StopsItsClientOnly) {
  EXPECT_TRUE(stops(armed(kGranted, 3), 3, {kGranted}));
  EXPECT_FALSE(stops(armed(kGranted, 3), 2, {kGranted, kGranted}));
}

TEST_F(Control, CountsToTheNthPassing) {
  EXPECT_FALSE(stops(armed(kGranted, -1, 3), 0, {kGranted, kGranted}));
  EXPECT_TRUE(stops(armed(kGranted, -1, 3), 0, {kGranted, kGranted, kGranted}));
  ArmedPoint& point = armed(kGranted, -1, 2);  // counts all clients together
  EXPECT_EQ(arrive(*page, 0, kGranted, nullptr), PointAction::go_on);
  EXPECT_TRUE(stops(point, 1, {kGranted}));
  EXPECT_EQ(point.reached_by.load(), 1u);
  ArmedPoint& own = armed(kGranted, 5, 2);  // counts that client alone
  EXPECT_EQ(arrive(*page, 0, kGranted, nullptr), PointAction::go_on);
  EXPECT_FALSE(stops(own, 5, {kGranted}));
}

TEST_F(Control, OnlyOneOfManyIsStopped) {
  ArmedPoint& point = armed(kGranted, -1, 50);
  std::vector<std::thread> clients;
  for (std::uint32_t c = 0; c < 4; ++c) {
    clients.emplace_back([&, c] {
      for (int i = 0; i < 25; ++i) arrive(*page, c, kGranted, nullptr);
    });
  }
  EXPECT_TRUE(wait_reached(point, kLongWait_ms));
  answer(point, PointAction::go_on);
  for (auto& client : clients) client.join();
  EXPECT_GE(point.passed.load(), 50);
}

TEST_F(Control, ReturnsTheAction) {
  for (const PointAction action : {PointAction::go_on, PointAction::lose_reply}) {
    ArmedPoint& point = armed(kGranted);
    Passing passing(*page, 0, {kGranted});
    ASSERT_TRUE(wait_reached(point, kLongWait_ms));
    answer(point, action);
    EXPECT_EQ(passing.end(), action);
  }
}

TEST_F(Control, WaitingClientIsVisible) {
  ArmedPoint& point = armed(kGranted);
  std::atomic<int> shown{0};
  std::thread client([&] { arrive(*page, 0, kGranted, [&] { ++shown; }); });
  ASSERT_TRUE(wait_reached(point, kLongWait_ms));
  poll_until([&] { return shown.load() >= 3; }, 1, after_ms(kLongWait_ms));
  EXPECT_GE(shown.load(), 3);
  answer(point, PointAction::go_on);
  client.join();
}

TEST_F(Control, DisarmReportsWhetherItWasInTime) {
  ArmedPoint& point = armed(kGranted);
  EXPECT_FALSE(wait_reached(point, 1));
  EXPECT_TRUE(disarm(point));
  EXPECT_FALSE(disarm(point)) << "it is not armed any more";
  ArmedPoint& late = armed(kGranted);
  Passing passing(*page, 0, {kGranted});
  ASSERT_TRUE(wait_reached(late, kLongWait_ms));
  EXPECT_FALSE(disarm(late));
  answer(late, PointAction::go_on);
}

TEST_F(Control, ReadsTimeAndPlaceOfTheStop) {
  page->zero_ns = monotonic_ns();
  const std::int64_t before_ns = monotonic_ns() - page->zero_ns;
  ArmedPoint& point = armed(kGranted, -1, 1, 15);  // the last one there is
  EXPECT_TRUE(stops(point, 9, {kGranted}));
  EXPECT_GE(point.reached_ns.load(), before_ns);
  EXPECT_LE(point.reached_ns.load(), monotonic_ns() - page->zero_ns);
  EXPECT_EQ(point.reached_by.load(), 9u);
}

TEST(Phases, HaveOneNameEach) {
  for (const auto& name : phase_names()) {
    const auto phase = phase_from_text(name);
    ASSERT_TRUE(phase.has_value());
    EXPECT_EQ(phase_names().at(static_cast<std::size_t>(*phase)), name);
  }
  EXPECT_FALSE(phase_from_text("critical_sektion").has_value());
}

// One thread may end an operation while another's goes on.
TEST_F(Control, OperationIsOpenWhileAnyThreadHasOne) {
  constexpr std::uint64_t kAcquire = 1;
  ClientSlot& client = page->clients.at(2);
  EXPECT_FALSE(is_open(current_operation(client)));
  client.operations[0].store(5U << 2U | kAcquire);
  client.operations[1].store(7U << 2U | kAcquire);
  EXPECT_EQ(current_operation(client), 7U << 2U | kAcquire) << "that which began last";
  client.operations[1].store(7U << 2U);
  EXPECT_EQ(current_operation(client), 5U << 2U | kAcquire);
  client.operations[0].store(5U << 2U);
  EXPECT_EQ(current_operation(client), 7U << 2U) << "the last that ended";
}

TEST_F(Control, RequestedKeyIsFreeWithoutAPossibleHolder) {
  constexpr std::uint64_t kAcquire = 1;
  constexpr std::int64_t kLong_ns = 60'000'000'000;
  ClientSlot& asks = page->clients.at(2);
  EXPECT_EQ(key_asked_for(*page, 2), KeyIs::any) << "it asks for none";
  asks.operation_keys[0].store(1);
  asks.operations[0].store(5U << 2U | kAcquire);
  EXPECT_EQ(key_asked_for(*page, 2), KeyIs::free);
  page->clients.at(3).believes[0].store(1);
  EXPECT_EQ(key_asked_for(*page, 2), KeyIs::free) << "another key";
  page->clients.at(3).believes[1].store(1);
  EXPECT_EQ(key_asked_for(*page, 2), KeyIs::held);
  page->clients.at(3).gone.store(1);
  EXPECT_EQ(key_asked_for(*page, 2), KeyIs::free) << "who held it is dead";
  note_possible_grant(*page, 2, kLong_ns);
  EXPECT_EQ(key_asked_for(*page, 2), KeyIs::any) << "an attempt that a fault struck may have been granted it";
  note_possible_grant(*page, 2, -1);
  EXPECT_EQ(key_asked_for(*page, 2), KeyIs::free) << "its lease is over";
}

// A lock that waits at the server: a call that is open for longer than a poll counts as waiting, like a refused client.
TEST_F(Control, AnOpenCallIsAWaiterAfterAPoll) {
  constexpr std::int64_t kNow_ns = 10'000'000'000;
  ClientSlot& client = page->clients.at(3);
  EXPECT_EQ(waiting(client, kNow_ns, 50), 0);
  client.asking_since_ns[1].store(kNow_ns - 49'000'000);
  EXPECT_EQ(waiting(client, kNow_ns, 50), 0) << "it may be answered at once";
  client.asking_since_ns[1].store(kNow_ns - 51'000'000);
  EXPECT_EQ(waiting(client, kNow_ns, 50), 1);
  client.waiting.store(1);
  EXPECT_EQ(waiting(client, kNow_ns, 50), 2) << "two threads of it";
  page->armed_points[0].whom = ClientRole::waiter;
  const auto stopped = [this](std::int64_t waits_from_ns) {
    ClientState state;
    state.waits_from_ns = waits_from_ns;
    const ClientPosition answered{{}, "acquire", true, state};
    return stops(armed(answered), 0, {answered});
  };
  EXPECT_TRUE(stopped(monotonic_ns() - 1)) << "a fault may be for it";
  EXPECT_FALSE(stopped(monotonic_ns() + 60'000'000'000));
  EXPECT_FALSE(stopped(0));
}

}  // namespace
}  // namespace holdfast
