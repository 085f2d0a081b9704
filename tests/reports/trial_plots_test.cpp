#include "reports/trial_plots.hpp"

#include <gtest/gtest.h>

#include "tests/reports/has.hpp"
#include "tests/reports/made_up_run.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kOneMs = 1'000'000;

Event request_at(Op op, EventType type, std::int64_t at_ms, Reason reason = Reason::none) {
  Event out;
  out.actor = Actor::client;
  out.op = op;
  out.type = type;
  out.reason = reason;
  out.time_ns = at_ms * kOneMs;
  return out;
}

Timeline minute_long() {
  Timeline out;
  out.end_ns = 60'000 * kOneMs;  // a second is a slice
  out.spans = {{1, "a", 1'000 * kOneMs, 3'500 * kOneMs, 0, 1, 2},
               {2, "a", 3'000 * kOneMs, 5'000 * kOneMs, 0, 3, 4},
               {3, "b", 5'000 * kOneMs, 6'500 * kOneMs, 0, 5, 6}};
  out.faults = {{"pause", {1}, 2'000 * kOneMs, 4'000 * kOneMs, ""}};
  return out;
}

std::string plots_of(const TrialCounts* counts) {
  HtmlWriter out;
  write_plots(counts, minute_long(), out);
  return std::move(out).take().text();
}

TEST(TrialPlots, CountsAnswersByKindAndLatenciesByOperation) {
  CountsOfTrial counts(minute_long());
  counts.event(request_at(Op::acquire, EventType::invoke, 1'000));
  counts.event(request_at(Op::acquire, EventType::ok, 1'400));
  counts.event(request_at(Op::write, EventType::invoke, 1'500));
  counts.event(request_at(Op::write, EventType::fail, 1'700));
  counts.event(request_at(Op::acquire, EventType::invoke, 7'000));
  counts.event(request_at(Op::acquire, EventType::fail, 9'100, Reason::busy));
  counts.event(request_at(Op::release, EventType::invoke, 12'000));
  const TrialCounts seen = std::move(counts).take();
  const auto of = [&](Answered kind, std::size_t slice) { return seen.answers[static_cast<std::size_t>(kind)][slice]; };
  EXPECT_EQ(of(Answered::accepted, 1), 1);
  EXPECT_EQ(of(Answered::failed, 1), 1);
  EXPECT_EQ(of(Answered::busy, 9), 1);
  EXPECT_EQ(of(Answered::unknown, 12), 1) << "never answered";
  EXPECT_EQ(seen.acquires[1].most_ns, 400 * kOneMs);
  EXPECT_EQ(seen.acquires[9].least_ns, 2'100 * kOneMs);
  EXPECT_EQ(seen.writes[1].most_ns, 200 * kOneMs);
  EXPECT_EQ(seen.writes[2].most_ns, -1);
}

TEST(TrialPlots, CountsHoldersOfOneKey) {
  const auto holders = holders_in_slices(minute_long());
  EXPECT_EQ(holders[0], 0);
  EXPECT_EQ(holders[2], 1);
  EXPECT_EQ(holders[3], 2);
  EXPECT_EQ(holders[5], 1) << "another key, and an end at that moment";
  EXPECT_EQ(holders[9], 0);
}

TEST(TrialPlots, DrawsEachPlotWithTheFaults) {
  CountsOfTrial counts(minute_long());
  counts.event(request_at(Op::acquire, EventType::invoke, 1'000));
  counts.event(request_at(Op::acquire, EventType::ok, 1'400));
  const TrialCounts seen = std::move(counts).take();
  const std::string all = plots_of(&seen);
  for (const char* part : {"The whole trial, 0.000 s to 60.000 s; bands are faults", "Holders of one key at once",
                           "two or more, 2 at most", "Latency", "acquire", "Answers, at most 1", "ok 1"}) {
    EXPECT_TRUE(has(all, part)) << part << "\n" << all;
  }
  EXPECT_FALSE(has(all, "busy"));
  EXPECT_LT(all.size(), 6'000U);
  const std::string alone = plots_of(nullptr);
  EXPECT_TRUE(has(alone, "Holders of one key") && has(alone, "plot-fault"));
  EXPECT_FALSE(has(alone, "Latency"));
}

}  // namespace
}  // namespace holdfast
