// Stops from outside: not those of a fault, nor those that a stalled runner or a full processor explains.
#include "runner/stall_meter.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <memory>

namespace holdfast {
namespace {

constexpr std::int64_t kMs = 1'000'000;
constexpr std::int64_t kSecond = 1000 * kMs;

std::vector<std::pair<std::int64_t, std::int64_t>> in_ms(const std::vector<OutsideStop>& stops) {
  std::vector<std::pair<std::int64_t, std::int64_t>> out;
  for (const auto& stop : stops) out.emplace_back(stop.stretch.from_ns / kMs, stop.stretch.to_ns / kMs);
  return out;
}

using Stretches = std::vector<std::pair<std::int64_t, std::int64_t>>;

TEST(PlannedStops, AreSubtractedFromAStretch) {
  PlannedStops planned;
  planned.signalled(3, SIGSTOP, 2 * kSecond);
  planned.signalled(3, SIGCONT, 4 * kSecond);
  const auto others = planned.others(3, {1 * kSecond, 6 * kSecond}, 0);
  ASSERT_EQ(others.size(), 2U);
  EXPECT_EQ(others[0].to_ns, 2 * kSecond);
  EXPECT_EQ(others[1].from_ns, 4 * kSecond);
  EXPECT_TRUE(planned.others(3, {2 * kSecond, 4 * kSecond}, 0).empty());
  EXPECT_EQ(planned.others(4, {2 * kSecond, 4 * kSecond}, 0).size(), 1U) << "another's stop";
}

TEST(PlannedStops, UnendedStopLasts) {
  PlannedStops planned;
  planned.signalled(0, SIGSTOP, 2 * kSecond);
  EXPECT_TRUE(planned.others(0, {3 * kSecond, 9 * kSecond}, 0).empty());
}

TEST(OutsideStops, ReportsAHeartbeatGapOnce) {
  const PlannedStops planned;
  OutsideStops stops(planned);
  const auto shown = std::make_unique<Heartbeat>();
  EXPECT_TRUE(stops.client(2, *shown).empty());
  shown->add(1 * kSecond, 4 * kSecond);
  EXPECT_EQ(in_ms(stops.client(2, *shown)), (Stretches{{1000, 4000}}));
  EXPECT_TRUE(stops.client(2, *shown).empty());
}

TEST(OutsideStops, PlannedPauseIsNotReported) {
  PlannedStops planned;
  planned.signalled(2, SIGSTOP, 1 * kSecond);
  planned.signalled(2, SIGCONT, 4 * kSecond);
  OutsideStops stops(planned);
  const auto shown = std::make_unique<Heartbeat>();
  shown->add(1 * kSecond - 15 * kMs, 4 * kSecond + 20 * kMs);
  EXPECT_TRUE(stops.client(2, *shown).empty()) << "the beats beside it belong to it";
  shown->add(5 * kSecond, 6 * kSecond);
  EXPECT_EQ(stops.client(2, *shown).size(), 1U);
}

TEST(OutsideStops, ServerIsCheckedByItsState) {
  const PlannedStops planned;
  OutsideStops stops(planned);
  std::int64_t now_ns = 0;
  const auto look = [&](char state) {
    return in_ms(stops.server(-1, "the lock's server", state, now_ns += 100 * kMs));
  };
  EXPECT_TRUE(look('S').empty());
  EXPECT_TRUE(look('T').empty());
  EXPECT_TRUE(look('T').empty());
  EXPECT_EQ(look('R'), (Stretches{{100, 400}}));
  EXPECT_TRUE(look('S').empty());
}

std::vector<Event> told_of(const OutsideStop& stop, const std::vector<Watched>& watched) {
  StallMeter meter(monotonic_ns());
  meter.look(watched);
  meter.stood_still(stop);
  meter.finish();
  return meter.events();
}

TEST(OutsideStops, NameProcessAndDuration) {
  const std::int64_t now_ns = monotonic_ns();
  const auto told = told_of({1, {1}, "client 1", {now_ns + 1 * kSecond, now_ns + 3 * kSecond}}, {});
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told[0].fault, "outside");
  EXPECT_EQ(told[0].clients, std::vector<std::uint32_t>{1});
  EXPECT_EQ(told[0].waited_ns, 2 * kSecond);
  EXPECT_NE(told[0].detail.find("client 1 did not run for 2000 ms"), std::string::npos) << told[0].detail;
}

TEST(OutsideStops, ShortStopIsNotReported) {
  const std::int64_t now_ns = monotonic_ns();
  EXPECT_TRUE(told_of({1, {1}, "client 1", {now_ns, now_ns + 30 * kMs}}, {}).empty());
}

}  // namespace
}  // namespace holdfast
