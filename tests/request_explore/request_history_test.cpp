// Equivalence of request histories: the search follows only one of them.
#include "request_explore/request_history.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace holdfast {
namespace {

using Request = RequestHistory::Request;

Request set(std::uint32_t client, const std::string& value, const std::string& reply) {
  return {client, {"SET", "orders-1", value, "NX"}, reply, reply == "OK"};
}

Request get(std::uint32_t client, const std::string& reply) {
  return {client, {"GET", "orders-1"}, reply, false};
}

std::uint64_t print_of(const std::vector<Request>& requests, std::int64_t now_us = 5) {
  RequestHistory history(2);
  for (const auto& request : requests) history.executed(request, now_us);
  return history.print();
}

TEST(RequestHistory, OrderOfReadsDoesNotCount) {
  EXPECT_EQ(print_of({set(0, "client-0:7", "OK"), set(1, "client-1:3", "nil"), get(0, "client-0:7")}),
            print_of({set(0, "client-0:7", "OK"), get(0, "client-0:7"), set(1, "client-1:3", "nil")}));
}

TEST(RequestHistory, OrderOfChangesCounts) {
  const Request a{0, {"INCR", "orders-1"}, "1", true};
  const Request b{1, {"INCR", "orders-2"}, "1", true};
  EXPECT_NE(print_of({a, b}), print_of({b, a}));
}

TEST(RequestHistory, ARequestWithoutAReplyMayHaveChangedSomething) {
  const Request a{0, {"BLPOP", "orders-1"}, "", false};
  const Request b{1, {"BLPOP", "orders-1"}, "", false};
  EXPECT_NE(print_of({a, b}), print_of({b, a}));
}

TEST(RequestHistory, ValuesAreNamedByTheirFirstRequest) {
  EXPECT_EQ(print_of({set(0, "client-0:7", "OK"), get(1, "client-0:7")}),
            print_of({set(0, "client-0:9", "OK"), get(1, "client-0:9")}));
  EXPECT_NE(print_of({set(0, "client-0:7", "OK"), set(1, "client-1:7", "nil"), get(1, "client-0:7")}),
            print_of({set(0, "client-0:7", "OK"), set(1, "client-1:7", "nil"), get(1, "client-1:7")}))
      << "equally long, and of another client";
}

TEST(RequestHistory, TimesRepliesAndLossesCount) {
  EXPECT_NE(print_of({get(0, "nil")}, 5), print_of({get(0, "nil")}, 6));
  EXPECT_NE(print_of({get(0, "nil")}), print_of({get(0, "1")}));
  Request lost = get(0, "nil");
  lost.lost = true;
  EXPECT_NE(print_of({get(0, "nil")}), print_of({lost}));
}

TEST(RequestHistory, AnswersOfCallsCount) {
  RequestHistory granted(2), refused(2);
  granted.answered(0, Op::acquire, Answer::granted(), 5);
  refused.answered(0, Op::acquire, Answer::busy(), 5);
  EXPECT_NE(granted.print(), refused.print());
  granted.clear();
  refused.clear();
  EXPECT_EQ(granted.print(), refused.print());
}

}  // namespace
}  // namespace holdfast
