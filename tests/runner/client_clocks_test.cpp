// A client's report on its clocks counts only if it read them since they were set: one that gets no processor, or
// waits, shows an old reading, and a fault that was undone meanwhile would be taken for one that lasted.
#include <gtest/gtest.h>

#include "artifact/units.hpp"
#include "runner/lab_client_capabilities.hpp"

namespace holdfast {
namespace {

constexpr std::uint32_t kClient = 3;
constexpr std::int64_t kStep_ns = 700 * kMillisecond_ns;

TEST(ClientClocks, OldReadingIsIgnored) {
  const SharedPage page = SharedPage::create();
  ClientSlot& slot = page->clients.at(kClient);
  LabClientClocks clocks(*page, false, false);
  EXPECT_EQ(clocks.offset_seen_ns(kClient), 0);
  clocks.set_offset(kClient, kStep_ns);
  EXPECT_EQ(clocks.offset_seen_ns(kClient), std::nullopt) << "the client has not read it yet";
  slot.wall_observed_ns = kStep_ns;
  EXPECT_EQ(clocks.offset_seen_ns(kClient), kStep_ns);
  clocks.set_offset(kClient, 0);
  EXPECT_EQ(clocks.offset_seen_ns(kClient), std::nullopt) << "the client still shows what it read before";
  slot.wall_observed_ns = 0;
  EXPECT_EQ(clocks.offset_seen_ns(kClient), 0);
}

TEST(ClientClocks, OldDriftReadingIsIgnored) {
  const SharedPage page = SharedPage::create();
  ClientSlot& slot = page->clients.at(kClient);
  LabClientDrift clocks(*page);
  EXPECT_EQ(clocks.drift_seen_ns(kClient), 0);
  clocks.set_drift(kClient, 20 * kPartsPerPercent);
  EXPECT_EQ(clocks.drift_seen_ns(kClient), 0) << "it has not come to anything that was seen";
  slot.drift_observed_ns = 5 * kMillisecond_ns;
  EXPECT_EQ(clocks.drift_seen_ns(kClient), 5 * kMillisecond_ns);
  clocks.set_drift(kClient, 0);
  EXPECT_EQ(clocks.drift_seen_ns(kClient), std::nullopt) << "the client still shows what it read before";
  slot.drift_observed_ns = 0;
  EXPECT_EQ(clocks.drift_seen_ns(kClient), 0);
}

}  // namespace
}  // namespace holdfast
