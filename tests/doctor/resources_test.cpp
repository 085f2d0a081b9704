// Room: enough, too little, and unknown, which is neither.
#include "doctor/resources.hpp"

#include <gtest/gtest.h>

#include "tests/refusal.hpp"

namespace holdfast {
namespace {

TEST(Resources, Enough) {
  for (const auto& one : examine_room({5000, 5000}, "runs")) {
    EXPECT_EQ(one.health, Health::ok) << one.name;
    EXPECT_EQ(one.remedy, "") << one.name;
  }
}

TEST(Resources, TooLittle) {
  const auto found = examine_room({3, 20}, "runs");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].health, Health::failed);
  EXPECT_TRUE(contains(found[0].says, "3 MiB free in runs, "));
  EXPECT_TRUE(contains(found[0].remedy, "--out FOLDER"));
  EXPECT_EQ(found[1].health, Health::failed);
  EXPECT_TRUE(contains(found[1].remedy, "--jobs 1"));
}

TEST(Resources, Unknown) {
  for (const auto& one : examine_room({-1, -1}, "runs")) {
    EXPECT_EQ(one.health, Health::not_tried) << one.name;
    EXPECT_FALSE(one.needed) << one.name;
  }
}

TEST(Resources, NoMoreTrialsThanFit) {
  EXPECT_EQ(jobs_in({-1, 5000}, 8), 8);
  EXPECT_EQ(jobs_in({-1, 500}, 8), 3);
  EXPECT_EQ(jobs_in({-1, 20}, 8), 1);
  EXPECT_EQ(jobs_in({-1, -1}, 8), 8);
}

TEST(Resources, RoomOfThisMachineIsPositive) {
  const Room here = room_in("/tmp/a folder/that is not there");
  EXPECT_GT(here.disk_mib, 0);
  EXPECT_GT(here.memory_mib, 0);
}

}  // namespace
}  // namespace holdfast
