// The forms of a time, and that a history keeps to one.
#include "history/time_form.hpp"

#include <gtest/gtest.h>

#include "artifact/error.hpp"
#include "history/history.hpp"
#include "tests/history/text_on_disk.hpp"

namespace holdfast {
namespace {

// 2026-11-24T22:51:58Z, as `date -u -d 2026-11-24T22:51:58Z +%s` says.
constexpr std::int64_t kThen = 1'795'560'718'000'000'000;

std::int64_t time_of(const std::string& json, TimeForm expected) {
  std::int64_t ns = -1;
  EXPECT_EQ(read_time_form(nlohmann::json::parse(json), ns), expected) << json;
  return ns;
}

std::string refusal_of_time(const std::string& json) {
  std::int64_t ns = 0;
  try {
    read_time_form(nlohmann::json::parse(json), ns);
  } catch (const BadInput& e) {
    return e.what();
  }
  return "";
}

TEST(TimeForm, ReadsNumbers) {
  EXPECT_EQ(time_of("17", TimeForm::nanoseconds), 17);
  EXPECT_EQ(time_of("1.5", TimeForm::seconds), 1'500'000'000);
  EXPECT_EQ(time_of("1e1", TimeForm::seconds), 10'000'000'000);
  EXPECT_EQ(time_of("1795560718.25", TimeForm::seconds), kThen + 250'000'000);
}

TEST(TimeForm, ReadsIsoTimes) {
  const auto with = TimeForm::iso_with_offset;
  EXPECT_EQ(time_of(R"("1970-01-01T00:00:00Z")", with), 0);
  EXPECT_EQ(time_of(R"("2026-11-24T22:51:58Z")", with), kThen);
  EXPECT_EQ(time_of(R"("2026-11-24T22:51:58.123456789Z")", with), kThen + 123'456'789);
  EXPECT_EQ(time_of(R"("2026-11-24T22:51:58.1234567899Z")", with), kThen + 123'456'789) << "more than nanoseconds";
  EXPECT_EQ(time_of(R"("2026-11-25T00:21:58+01:30")", with), kThen);
  EXPECT_EQ(time_of(R"("2026-11-25T00:51:58+02")", with), kThen);
  EXPECT_EQ(time_of(R"("2026-11-24T17:51:58-0500")", with), kThen);
  EXPECT_EQ(time_of(R"("2026-11-24 22:51:58,5")", TimeForm::iso_without_offset), kThen + 500'000'000);
  EXPECT_EQ(time_of(R"("2024-02-29T00:00:00Z")", with) + 86'400'000'000'000,
            time_of(R"("2024-03-01T00:00:00Z")", with));
  EXPECT_EQ(time_of(R"("2016-12-31T23:59:60Z")", with), time_of(R"("2017-01-01T00:00:00Z")", with)) << "leap second";
}

TEST(TimeForm, RefusesInvalidTimes) {
  for (const char* text :
       {"\"\"", "\"5\"", "null", "true", "[1]", R"("2026-02-30T00:00:00Z")", R"("2026-11-24")", R"("22:51:58")",
        R"("2026-11-24T25:00:00Z")", R"("2026-11-24T22:51:58.Z")", R"("2026-11-24T22:51:58+25:00")",
        R"("2026-11-24T22:51:58Zx")", R"("2026-11-24T22:51:58+1")", R"("1969-12-31T23:59:59Z")"}) {
    EXPECT_EQ(refusal_of_time(text).find("time: cannot be read; known forms: "), 0U) << text;
  }
  const std::string bounds = "time: must be from 0 to 4000000000000000000";
  for (const char* text : {"-1", "4000000000000000001", "18446744073709551615", R"("2150-01-01T00:00:00Z")",
                           R"("1970-01-01T00:00:00+02:00")"}) {
    EXPECT_EQ(refusal_of_time(text), bounds) << text;
  }
  for (const char* text : {"-0.5", "1.7e18", "99999999999999999999999"}) {
    EXPECT_NE(refusal_of_time(text).find("is read as seconds, and must be from 0 to 4000000000;"), std::string::npos);
  }
}

// Times of the events of a history with these `time` values; or what is said instead.
std::string times_read(const std::vector<std::string>& values) {
  std::string text;
  for (const auto& value : values) text += R"({"process":1,"type":"info","f":"leave","time":)" + value + "}\n";
  const TextOnDisk file(text);
  std::string out;
  try {
    HistoryReader reader(file.path);
    for (Event event; reader.next(event);) out += std::to_string(event.time_ns) + " ";
  } catch (const BadInput& e) {
    return std::string(e.what()).substr(file.path.size());
  }
  return out;
}

TEST(TimeForm, HistoryHasOneForm) {
  EXPECT_EQ(times_read({"1.5", "2", "2.5"}), "1500000000 2000000000 2500000000 ") << "whole seconds among seconds";
  EXPECT_EQ(times_read({R"("1970-01-01T00:00:01Z")", R"("1970-01-01T02:00:02+02:00")"}), "1000000000 2000000000 ");
  EXPECT_EQ(times_read({"1", "2.5"}),
            ":2: time: is in seconds (with a decimal point), but earlier ones are in nanoseconds (whole numbers); "
            "remedy: write all times in one form");
  EXPECT_NE(times_read({R"("1970-01-01T00:00:01Z")", R"("1970-01-01T00:00:01")"})
                .find("without an offset, but earlier ones are in ISO 8601 with an offset"),
            std::string::npos);
  EXPECT_NE(times_read({R"("1970-01-01T00:00:01Z")", "5"}).find(":2: time: is in nanoseconds"), std::string::npos);
}

}  // namespace
}  // namespace holdfast
