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
  while (events.next() != nullptr) order += events.place().substr(events.place().rfind(':') + 1) + " ";
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

TEST(TiedEvents, ReleaseInTheSameMomentWasGrantedFirst) {
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

TEST(TiedEvents, UnreadableLineThrowsWhenItIsReached) {
  const TemporaryFolder folder;
  const std::string text = text_of({{0, 1, "invoke", "acquire"}, {1, 1, "ok", "acquire"}}) + "{broken\n";
  const auto source = open_history(folder.write("h.jsonl", text));
  TiedEvents events(*source);
  EXPECT_NE(events.next(), nullptr);
  EXPECT_NE(events.next(), nullptr);
  EXPECT_TRUE(contains(refusal([&] { events.next(); }), "h.jsonl:3: broken JSON"));
  EXPECT_EQ(events.next(), nullptr);
}

TEST(TiedEvents, LargeTiesArePassedOn) {
  std::vector<Line> lines;
  for (int p = 0; p < static_cast<int>(kMostTied) + 9; ++p) lines.push_back({7, p, "invoke", "acquire"});
  const std::string order = order_of(lines);
  EXPECT_EQ(std::count(order.begin(), order.end(), ' '), static_cast<std::ptrdiff_t>(lines.size()));
}

// The rule in so many words: of the events whose process has said what it said before, the first in rank comes next.
std::vector<std::size_t> as_told(const std::vector<Line>& lines) {
  const auto next_of = [&](std::size_t i) {
    std::size_t next = i + 1;
    while (next < lines.size() && lines[next].process != lines[i].process) ++next;
    return next;
  };
  const auto rank = [&](std::size_t i) {
    const std::string type = lines[i].type;
    const std::string f = lines[i].f;
    const std::size_t next = next_of(i);
    const bool grant = f == "acquire" && type == "ok";
    if (type == "invoke") return 0;
    const bool first = next < lines.size();
    const bool asks_on = first && lines[next].f == std::string("acquire");
    return (grant && !asks_on ? 3 : 1) + (first ? 0 : 1);
  };
  std::vector<std::size_t> order;
  std::vector<bool> told(lines.size(), false);
  while (order.size() < lines.size()) {
    std::size_t best = lines.size();
    for (std::size_t i = 0; i < lines.size(); ++i) {
      bool ready = !told[i];
      for (std::size_t j = 0; j < i; ++j) ready = ready && (told[j] || lines[j].process != lines[i].process);
      if (ready && (best == lines.size() || rank(i) < rank(best))) best = i;
    }
    told[best] = true;
    order.push_back(best);
  }
  return order;
}

RC_GTEST_PROP(TiedEvents, TiesFollowTheRule, ()) {
  constexpr int kProcesses = 70;
  std::vector<Line> before;
  std::vector<Line> moment;
  std::vector<const char*> open(kProcesses, nullptr);
  for (int p = 0; p < kProcesses; p += 2) {
    open[static_cast<std::size_t>(p)] = p % 4 == 0 ? "acquire" : "release";
    before.push_back({0, p, "invoke", open[static_cast<std::size_t>(p)]});
  }
  const auto steps = *rc::gen::container<std::vector<std::pair<int, int>>>(
      *rc::gen::inRange<std::size_t>(1, 200), rc::gen::pair(rc::gen::inRange(0, kProcesses), rc::gen::inRange(0, 3)));
  for (const auto& [process, how] : steps) {
    const char*& f = open[static_cast<std::size_t>(process)];
    if (f != nullptr) {
      moment.push_back({1, process, how == 0 ? "fail" : how == 1 ? "ok" : "info", f});
      f = nullptr;
    } else {
      f = how == 0 ? "acquire" : how == 1 ? "release" : "renew";
      moment.push_back({1, process, "invoke", f});
    }
  }
  std::vector<Line> lines = before;
  lines.insert(lines.end(), moment.begin(), moment.end());
  std::string expected;
  for (std::size_t i = 0; i < before.size(); ++i) expected += std::to_string(i + 1) + " ";
  for (const std::size_t i : as_told(moment)) expected += std::to_string(before.size() + i + 1) + " ";
  RC_ASSERT(order_of(lines) == expected);
}

// Whatever the ties: every event once, times never backwards, and each process as it was.
RC_GTEST_PROP(TiedEvents, KeepsAllEventsAndEachProcesssOrder, ()) {
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
  while (const Event* event = events.next()) {
    RC_ASSERT(event->time_ns >= last_ns);
    last_ns = event->time_ns;
    RC_ASSERT(seen.empty() || event->index >= last.at(event->process));
    last.at(event->process) = event->index;
    seen.push_back(event->index);
  }
  std::sort(seen.begin(), seen.end());
  for (std::uint64_t i = 0; i < seen.size(); ++i) RC_ASSERT(seen[i] == i);
  RC_ASSERT(seen.size() == lines.size());
}

}  // namespace
}  // namespace holdfast
