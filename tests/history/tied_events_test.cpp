// Equal times are no order: what was called at a moment comes before what was answered at it.
#include "history/tied_events.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "history/open_history.hpp"
#include "tests/refusal.hpp"
#include "tests/temporary_folder.hpp"

namespace holdfast {
namespace {

struct Line {
  int time;
  int process;
  const char* type;
  const char* f;
};

std::string text_of(const std::vector<Line>& lines) {
  std::string text;
  for (const Line& line : lines) {
    text += "{\"time\":" + std::to_string(line.time) + ",\"process\":" + std::to_string(line.process) + ",\"type\":\"" +
            line.type + "\",\"f\":\"" + line.f + "\"}\n";
  }
  return text;
}

// The places of the lines, in the order in which they are given out.
std::string order_of(const std::vector<Line>& lines) {
  const TemporaryFolder folder;
  const auto source = open_history(folder.write("h.jsonl", text_of(lines)));
  TiedEvents events(*source);
  std::string order;
  for (Event event; events.next(event);) order += events.place().substr(events.place().rfind(':') + 1) + " ";
  return order;
}

TEST(TiedEvents, CallsComeBeforeAnswersOfTheSameMoment) {
  EXPECT_EQ(order_of({{0, 1, "invoke", "acquire"},
                      {0, 2, "invoke", "acquire"},
                      {5, 1, "ok", "acquire"},
                      {5, 2, "fail", "acquire"},
                      {5, 3, "invoke", "acquire"},
                      {6, 3, "ok", "acquire"}}),
            "1 2 5 4 3 6 ")
      << "and of the answers grants come last";
}

TEST(TiedEvents, AProcessKeepsItsOrder) {
  EXPECT_EQ(order_of({{0, 1, "invoke", "acquire"},
                      {5, 1, "ok", "acquire"},
                      {5, 1, "invoke", "release"},
                      {5, 2, "invoke", "acquire"},
                      {5, 1, "ok", "release"},
                      {5, 2, "ok", "acquire"}}),
            "1 4 2 3 5 6 ");
}

TEST(TiedEvents, WhoGaveBackWithinTheMomentWasGrantedFirst) {
  EXPECT_EQ(order_of({{0, 1, "invoke", "acquire"},
                      {0, 2, "invoke", "acquire"},
                      {0, 3, "invoke", "acquire"},
                      {5, 2, "ok", "acquire"},
                      {5, 1, "ok", "acquire"},
                      {5, 3, "ok", "acquire"},
                      {5, 3, "invoke", "release"},
                      {5, 1, "invoke", "release"}}),
            "1 2 3 5 8 6 7 4 ");
}

TEST(TiedEvents, AnEmptyOrAStrictHistoryIsItself) {
  EXPECT_EQ(order_of({{0, 1, "invoke", "acquire"}, {1, 1, "ok", "acquire"}, {2, 2, "invoke", "acquire"}}), "1 2 3 ");
}

TEST(TiedEvents, WhatCannotBeReadIsToldWhenItIsAskedFor) {
  const TemporaryFolder folder;
  const std::string text = text_of({{0, 1, "invoke", "acquire"}, {1, 1, "ok", "acquire"}}) + "{broken\n";
  const auto source = open_history(folder.write("h.jsonl", text));
  TiedEvents events(*source);
  Event event;
  EXPECT_TRUE(events.next(event));
  EXPECT_TRUE(events.next(event));
  EXPECT_TRUE(contains(refusal([&] { events.next(event); }), "h.jsonl:3: broken JSON"));
  EXPECT_FALSE(events.next(event));
}

TEST(TiedEvents, MoreThanCanBeKeptComesAllTheSame) {
  std::vector<Line> lines;
  for (int p = 0; p < static_cast<int>(kMostTied) + 9; ++p) lines.push_back({7, p, "invoke", "acquire"});
  const std::string order = order_of(lines);
  EXPECT_EQ(std::count(order.begin(), order.end(), ' '), static_cast<std::ptrdiff_t>(lines.size()));
}

// Whatever the ties: every event once, times never backwards, and each process as it was.
RC_GTEST_PROP(TiedEvents, NothingIsLostAndNobodyIsTurnedRound, ()) {
  std::vector<Line> lines;
  std::vector<bool> open(4, false);
  int time = 0;
  const auto steps = *rc::gen::container<std::vector<std::pair<int, bool>>>(
      rc::gen::pair(rc::gen::inRange(0, 4), rc::gen::arbitrary<bool>()));
  for (const auto& [process, later] : steps) {
    time += later ? 1 : 0;
    const auto at = static_cast<std::size_t>(process);
    lines.push_back({time, process, open[at] ? "ok" : "invoke", "acquire"});
    open[at] = !open[at];
  }
  if (lines.empty()) return;
  const TemporaryFolder folder;
  const auto source = open_history(folder.write("h.jsonl", text_of(lines)));
  TiedEvents events(*source);
  std::vector<std::uint64_t> seen;
  std::vector<std::uint64_t> last(4, 0);
  std::int64_t last_ns = 0;
  for (Event event; events.next(event);) {
    RC_ASSERT(event.time_ns >= last_ns);
    last_ns = event.time_ns;
    RC_ASSERT(seen.empty() || event.index >= last.at(event.process));
    last.at(event.process) = event.index;
    seen.push_back(event.index);
  }
  std::sort(seen.begin(), seen.end());
  for (std::uint64_t i = 0; i < seen.size(); ++i) RC_ASSERT(seen[i] == i);
  RC_ASSERT(seen.size() == lines.size());
}

}  // namespace
}  // namespace holdfast
