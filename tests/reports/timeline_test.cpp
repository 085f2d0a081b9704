#include <gtest/gtest.h>

#include <algorithm>

#include "reports/canvas.hpp"
#include "reports/focus.hpp"
#include "reports/timeline_svg.hpp"
#include "tests/reports/has.hpp"
#include "tests/reports/made_up_run.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kMs = 1'000'000;

TEST(Focus, HoldsTheHoldsAroundTheWitness) {
  const Witness witness = made_up::overlap_witness();
  const Stretch w = focus(made_up::overlap_timeline(), &witness);
  EXPECT_LT(w.from_ns, 12'700 * kMs);
  EXPECT_GT(w.to_ns, 15'180 * kMs);
  EXPECT_LT(w.to_ns - w.from_ns, 5'000 * kMs);
}

TEST(Focus, NeverLosesAShortViolationInALongHold) {
  Timeline timeline;
  timeline.end_ns = 1'000'000 * kMs;
  timeline.spans = {{1, "k", 0, 500'010 * kMs, 0, 1, 2}, {2, "k", 500'000 * kMs, 900'000 * kMs, 0, 3, 4}};
  Witness witness = made_up::overlap_witness();
  witness.key = "k";
  witness.clients = {1, 2};
  witness.from_ns = 500'000 * kMs;
  witness.to_ns = 500'010 * kMs;
  const Stretch w = focus(timeline, &witness);
  EXPECT_LE(w.to_ns - w.from_ns, 10 * kMs * 20);
  EXPECT_LE(w.from_ns, witness.from_ns);
  EXPECT_GE(w.to_ns, witness.to_ns);
}

TEST(Focus, ShowsTheFirstFaultElseEverything) {
  Timeline timeline = made_up::overlap_timeline();
  const Stretch fault = focus(timeline, nullptr);
  EXPECT_LE(fault.from_ns, 13'102 * kMs);
  EXPECT_GE(fault.to_ns, 14'602 * kMs);
  timeline.faults.clear();
  const Stretch all = focus(timeline, nullptr);
  EXPECT_EQ(all.from_ns, 0);
  EXPECT_EQ(all.to_ns, 19'000 * kMs);
}

TEST(Focus, BeginsWhereAForeignHistoryBegins) {
  Timeline timeline;
  const std::int64_t epoch = 1'700'000'000'000'000'000;
  timeline.spans = {{1, "k", epoch, epoch + 100 * kMs, 0, 1, 2}};
  timeline.end_ns = epoch + 200 * kMs;
  EXPECT_EQ(whole(timeline).from_ns, epoch);
}

TEST(Thinning, JoinsOnlyCloseSpansAndCountsThem) {
  std::vector<Span> spans;
  for (int i = 0; i < 10'000; ++i)
    spans.push_back({static_cast<std::uint32_t>(i % 4), "k", i * 10 * kMs, (i * 10 + 8) * kMs, 0, 1, 2});
  const Stretch all{0, 100'000 * kMs};
  const auto bars = thinned_bars(spans, all, 100);
  EXPECT_LE(bars.size(), 100U);
  int grants = 0;
  for (const auto& bar : bars) grants += bar.grants;
  EXPECT_EQ(grants, 10'000);
  spans.resize(50);
  EXPECT_EQ(thinned_bars(spans, all, 100).size(), 50U);
}

TEST(Thinning, LeavesTheWitnessAlone) {
  std::vector<Span> spans;
  for (int i = 0; i < 1'000; ++i)
    spans.push_back({0, "k", i * 10 * kMs, (i * 10 + 8) * kMs, 0, static_cast<std::uint64_t>(i), 2});
  Witness witness;
  witness.key = "k";
  witness.from_ns = 5'000 * kMs;
  witness.to_ns = 5'008 * kMs;
  const auto bars = thinned_bars(spans, {0, 10'000 * kMs}, 10, &witness);
  const auto own = std::find_if(bars.begin(), bars.end(), [](const Bar& bar) { return bar.span.grant_index == 500; });
  ASSERT_NE(own, bars.end());
  EXPECT_EQ(own->grants, 1);
  EXPECT_EQ(own->span.to_ns, 5'008 * kMs);
}

TEST(Lanes, WitnessLanesComeFirstAndLanesAreBounded) {
  Witness witness = made_up::overlap_witness();
  witness.clients = {7, 3};
  const Timeline timeline = made_up::overlap_timeline();
  const auto shown = lanes(timeline, whole(timeline), &witness, 3);
  ASSERT_EQ(shown.size(), 3U);
  EXPECT_EQ(shown[0], 7U);
  EXPECT_EQ(shown[1], 3U);
}

TEST(Picture, LabelsWhoActsAsHolder) {
  const Timeline timeline = made_up::overlap_timeline();
  Witness witness = made_up::overlap_witness();
  const auto drawn = [&] { return timeline_svg({timeline, &witness, "mutual_exclusion", nullptr, {}}, kWide).text(); };
  witness.clients = {1, 1};
  EXPECT_TRUE(has(drawn(), "✗ acts as holder twice, 812 ms"));
  witness.clients = {1, 2, 3};
  EXPECT_TRUE(has(drawn(), "✗ all act as holder, 812 ms"));
}

TEST(Picture, DrawsEachSign) {
  const Timeline timeline = made_up::overlap_timeline();
  const Witness witness = made_up::overlap_witness();
  const std::string svg = timeline_svg({timeline, &witness, "mutual_exclusion", nullptr, {}}, kWide).text();
  for (const char* sign :
       {"class=\"lapsed\"", "class=\"lease-flag\"", "class=\"band\"", "class=\"violation\"", "class=\"write\"",
        "class=\"write refused\"", ">write refused</text>", "class=\"write unknown\"", "lease ends 14.200 s",
        "both act as holder, 812 ms", "pause · client 3 · stopped for 1,500 ms", "#881"}) {
    EXPECT_TRUE(has(svg, sign)) << sign;
  }
}

TEST(Picture, DrawsOnlyRecordedSigns) {
  Timeline timeline = made_up::overlap_timeline();
  timeline.faults.clear();
  std::erase_if(timeline.spans, [](const Span& s) { return s.client == 3; });
  std::erase_if(timeline.writes, [](const WriteMark& w) { return w.result != "ok"; });
  const std::string svg = timeline_svg({timeline, nullptr, "", nullptr, {}}, kWide).text();
  for (const char* sign : {"lapsed", "violation", "refused", "unknown", "class=\"band\"", "fault"})
    EXPECT_FALSE(has(svg, sign)) << sign;
}

TEST(Picture, MarksAMomentWithoutLength) {
  const Timeline timeline = made_up::overlap_timeline();
  Witness witness = made_up::overlap_witness();
  witness.from_ns = witness.to_ns = 14'640 * kMs;
  EXPECT_TRUE(has(timeline_svg({timeline, &witness, "resource", nullptr, {}}, kWide).text(), "✗ resource violated<"));
}

// Up to its limit a fault's text is whole: in lines below its bar if there is no room beside it.
TEST(Picture, WrapsAFaultsText) {
  Timeline timeline = made_up::overlap_timeline();
  const Witness witness = made_up::overlap_witness();
  timeline.faults[0].detail = "stopped " + std::string(50, 'x') + " " + std::string(500, 'y');
  const Picture picture{timeline, &witness, "mutual_exclusion", nullptr, {}};
  const std::string narrow = timeline_svg(picture, kNarrow).text();
  EXPECT_TRUE(has(narrow, ">pause · client 3 · stopped</text>")) << narrow;
  EXPECT_TRUE(has(narrow, "y…</text>"));
  EXPECT_FALSE(has(narrow, std::string(121, 'y') + "</text>"));
}

TEST(Picture, NumbersTheStepsAndDrawsOnlyTheClientsOfTheViolation) {
  const Timeline timeline = made_up::overlap_timeline();
  const Witness witness = made_up::overlap_witness();
  const Picture picture{timeline, &witness, "mutual_exclusion", nullptr, {12'700 * kMs, -1, 14'203 * kMs}};
  for (const Layout& layout : {kWide, kNarrow}) {
    const std::string svg = timeline_svg(picture, layout).text();
    EXPECT_TRUE(has(svg, "data-step=\"1\"") && has(svg, "data-step=\"3\""));
    EXPECT_FALSE(has(svg, "data-step=\"2\"")) << "it has no moment";
    EXPECT_TRUE(has(svg, ">client 3</text>") && has(svg, ">client 7</text>"));
    EXPECT_FALSE(has(svg, ">client 5</text>"));
  }
}

TEST(StoryWindow, SpansGrantLeaseEndSecondGrantAndDamage) {
  const Timeline timeline = made_up::overlap_timeline();
  const Witness witness = made_up::overlap_witness();
  const StoryWindow w = story_window(timeline, {&witness}, {15'090 * kMs});
  EXPECT_LT(w.shown.from_ns, 12'700 * kMs);
  EXPECT_GT(w.shown.to_ns, 16'201 * kMs) << "the later holder's lease ends then";
  EXPECT_TRUE(w.left_out.empty());
}

TEST(StoryWindow, BreaksTheAxisWhereNothingHappensForLong) {
  Timeline timeline = made_up::overlap_timeline();
  const Witness witness = made_up::overlap_witness();
  constexpr std::int64_t kHour = 3'600'000 * kMs;
  for (Span& span : timeline.spans) {
    if (span.client == 3) span.from_ns -= kHour;
  }
  const StoryWindow w = story_window(timeline, {&witness}, {});
  EXPECT_LE(w.shown.from_ns, 12'700 * kMs - kHour);
  ASSERT_EQ(w.left_out.size(), 1U);
  EXPECT_GT(w.left_out[0].to_ns - w.left_out[0].from_ns, kHour - 10'000 * kMs);
  const Picture picture{timeline, &witness, "mutual_exclusion", nullptr, {}};
  EXPECT_TRUE(has(timeline_svg(picture, kWide).text(), "class=\"tear\""));
}

// The violation is the point of the picture, so that it must not vanish in a long hold.
TEST(StoryWindow, KeepsAShortViolationWide) {
  Timeline timeline;
  timeline.end_ns = 1'000'000 * kMs;
  timeline.spans = {{1, "k", 0, 500'010 * kMs, 0, 1, 2}, {2, "k", 500'000 * kMs, 900'000 * kMs, 0, 3, 4}};
  Witness witness = made_up::overlap_witness();
  witness.key = "k";
  witness.clients = {1, 2};
  witness.from_ns = 500'000 * kMs;
  witness.to_ns = 500'010 * kMs;
  const StoryWindow w = story_window(timeline, {&witness}, {});
  std::int64_t kept = w.shown.to_ns - w.shown.from_ns;
  for (const Stretch& gap : w.left_out) kept -= gap.to_ns - gap.from_ns;
  EXPECT_LE(kept, 10 * kMs * 20);
}

TEST(Axis, HasRoundMoments) {
  const auto at = ticks({12'439 * kMs, 16'088 * kMs}, 10);
  ASSERT_GE(at.size(), 4U);
  EXPECT_LE(at.size(), 11U);
  EXPECT_EQ(at.front(), 12'500 * kMs);
  EXPECT_EQ(tick_text(at.front(), at[1] - at[0]), "12.5");
  EXPECT_EQ(tick_text(3'000 * kMs, 1'000 * kMs), "3");
  EXPECT_FALSE(ticks({0, 1}, 10).empty());
}

}  // namespace
}  // namespace holdfast
