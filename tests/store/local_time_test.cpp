// The local times that drivers send and read.
#include "lock/local_time.hpp"

#include <gtest/gtest.h>

namespace holdfast {
namespace {

constexpr std::int64_t kNoon_us = 1'893'499'200'000'000;  // 2030-01-01 12:00:00 UTC

class InZone : public Session {
 public:
  InZone(std::int64_t now_us, std::int64_t zone_s) : now_us_(now_us), zone_s_(zone_s) {}
  Reply attempt(std::string_view, Params) override { return {}; }
  std::int64_t now_ns() override { return now_us_ * 1000; }
  std::int64_t steady_ns() override { return 0; }
  void sleep_ms(std::int64_t) override {}
  std::string address() const override { return ""; }
  std::int64_t zone_s() const override { return zone_s_; }

 private:
  std::int64_t now_us_;
  std::int64_t zone_s_;
};

TEST(LocalTime, AProgramReadsItsClockInItsZone) {
  InZone here(kNoon_us + 250'000, 0);
  InZone east(kNoon_us + 250'000, 8 * 3600);
  InZone west(kNoon_us + 250'000, -(5 * 3600 + 1800));
  EXPECT_EQ(datetime_text(local_us(here)), "2030-01-01 12:00:00.250000");
  EXPECT_EQ(datetime_text(local_us(east)), "2030-01-01 20:00:00.250000");
  EXPECT_EQ(datetime_text(local_us(west)), "2030-01-01 06:30:00.250000");
}

TEST(LocalTime, RoundTrip) {
  for (const std::int64_t us : {kNoon_us, kNoon_us + 1, kNoon_us + 999'999, std::int64_t{0}}) {
    EXPECT_EQ(us_of_datetime(datetime_text(us)), us);
  }
  EXPECT_EQ(us_of_datetime("2030-01-01 12:00:00"), kNoon_us) << "a column of whole seconds";
  EXPECT_EQ(us_of_datetime("2030-01-01 12:00:00.5"), kNoon_us + 500'000) << "one of a digit";
}

TEST(LocalTime, InvalidTimeIsAnError) {
  for (const char* text : {"", "noon", "2030-01-01", "12:00:00"}) {
    EXPECT_THROW(us_of_datetime(text), StatementFailed) << text;
  }
}

}  // namespace
}  // namespace holdfast
