// A gated client begins a statement only when it is given a turn for it.
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <thread>

#include "artifact/poll_until.hpp"
#include "control/control_page.hpp"

namespace holdfast {
namespace {

template <class Seen>
bool soon(const Seen& seen) {
  return poll_until(seen, 1, after_ms(10'000));
}

// Three statements; keeps the action for each answer.
class Client {
 public:
  explicit Client(Gate& gated)
      : thread_([this, &gated] {
          for (PointAction& action : orders) {
            begin_statement(gated);
            action = take_action(gated);
            end_statement(gated);
          }
        }) {}
  ~Client() { thread_.join(); }
  std::array<PointAction, 3> orders{};

 private:
  std::thread thread_;
};

TEST(Gate, UngatedClientDoesNotWait) {
  Gate gated;
  { const Client client(gated); }
  EXPECT_EQ(gated.begun.load(), 3U);
  EXPECT_EQ(gated.answered.load(), 3U);
}

TEST(Gate, TurnAllowsOneStatementAndItsAction) {
  Gate gated;
  gate(gated, true);
  Client client(gated);
  ASSERT_TRUE(soon([&] { return gated.stands.load() != 0; }));
  std::this_thread::sleep_for(std::chrono::milliseconds(60));
  EXPECT_EQ(gated.begun.load(), 0U);
  give_turn(gated, PointAction::lose_reply);
  ASSERT_TRUE(soon([&] { return gated.answered.load() == 1 && gated.stands.load() != 0; }));
  std::this_thread::sleep_for(std::chrono::milliseconds(60));
  EXPECT_EQ(gated.begun.load(), 1U);
  gate(gated, false);
  ASSERT_TRUE(soon([&] { return gated.answered.load() == 3; }));
  EXPECT_EQ(client.orders, (std::array{PointAction::lose_reply, PointAction::go_on, PointAction::go_on}));
}

TEST(Gate, UnusedTurnsDoNotAccumulate) {
  Gate gated;
  give_turn(gated, PointAction::go_on);
  give_turn(gated, PointAction::go_on);
  gate(gated, true);
  const Client client(gated);
  ASSERT_TRUE(soon([&] { return gated.stands.load() != 0; }));
  std::this_thread::sleep_for(std::chrono::milliseconds(60));
  EXPECT_EQ(gated.begun.load(), 0U);
  gate(gated, false);
}

}  // namespace
}  // namespace holdfast
