// A conducted client begins a statement only when it is given a turn for it.
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

// Three statements; keeps what is to become of each answer.
class Client {
 public:
  explicit Client(Conducted& conducted)
      : thread_([this, &conducted] {
          for (Order& order : orders) {
            begin_statement(conducted);
            order = take_order(conducted);
            end_statement(conducted);
          }
        }) {}
  ~Client() { thread_.join(); }
  std::array<Order, 3> orders{};

 private:
  std::thread thread_;
};

TEST(Conducted, NobodyWaitsWhoIsNot) {
  Conducted conducted;
  { const Client client(conducted); }
  EXPECT_EQ(conducted.begun.load(), 3U);
  EXPECT_EQ(conducted.answered.load(), 3U);
}

TEST(Conducted, OneTurnIsForOneStatementAndItsOrderToo) {
  Conducted conducted;
  conduct(conducted, true);
  Client client(conducted);
  ASSERT_TRUE(soon([&] { return conducted.stands.load() != 0; }));
  std::this_thread::sleep_for(std::chrono::milliseconds(60));
  EXPECT_EQ(conducted.begun.load(), 0U);
  give_turn(conducted, Order::lose_reply);
  ASSERT_TRUE(soon([&] { return conducted.answered.load() == 1 && conducted.stands.load() != 0; }));
  std::this_thread::sleep_for(std::chrono::milliseconds(60));
  EXPECT_EQ(conducted.begun.load(), 1U);
  conduct(conducted, false);
  ASSERT_TRUE(soon([&] { return conducted.answered.load() == 3; }));
  EXPECT_EQ(client.orders, (std::array{Order::lose_reply, Order::go_on, Order::go_on}));
}

TEST(Conducted, TurnsDoNotAddUpForLater) {
  Conducted conducted;
  give_turn(conducted, Order::go_on);
  give_turn(conducted, Order::go_on);
  conduct(conducted, true);
  const Client client(conducted);
  ASSERT_TRUE(soon([&] { return conducted.stands.load() != 0; }));
  std::this_thread::sleep_for(std::chrono::milliseconds(60));
  EXPECT_EQ(conducted.begun.load(), 0U);
  conduct(conducted, false);
}

}  // namespace
}  // namespace holdfast
