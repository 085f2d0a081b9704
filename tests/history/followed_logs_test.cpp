// Logs that are still written, read as one history.
#include "history/followed_logs.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "artifact/monotonic.hpp"
#include "artifact/units.hpp"
#include "tests/refusal.hpp"

namespace holdfast {
namespace {

const FollowSettings kSoon{.delay_ns = 100 * kMillisecond_ns, .nap_ns = kMillisecond_ns};

class Followed : public ::testing::Test {
 protected:
  Followed() {
    std::string name = (std::filesystem::temp_directory_path() / "holdfast-followed-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
  }
  ~Followed() override { std::filesystem::remove_all(folder_); }

  std::string log(const std::string& name) const { return folder_ + "/" + name + ".jsonl"; }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(log(name), std::ios::app) << text << std::flush;
  }

  // A call of an acquire or its answer, at this time.
  void say(const std::string& name, const std::string& type, std::int64_t time_ns) const {
    write(name, R"({"process":")" + name + R"(","type":")" + type + R"(","f":"acquire","key":"k","time":)" +
                    std::to_string(time_ns) + "}\n");
  }

  std::vector<std::string> all_of(FollowedLogs& logs) const {
    std::vector<std::string> out;
    for (Event event; logs.next(event);) {
      out.push_back(logs.names().processes.at(event.process) + (event.type == EventType::invoke ? " calls" : " ends"));
    }
    return out;
  }

  std::string folder_;
  std::atomic<bool> stop_{false};
};

using Texts = std::vector<std::string>;

TEST_F(Followed, EventsOfSeveralLogsComeInOrderOfTime) {
  const std::int64_t now_ns = monotonic_ns();
  say("a", "invoke", now_ns - 9);
  say("b", "invoke", now_ns - 8);
  say("b", "ok", now_ns - 7);
  say("a", "ok", now_ns - 6);
  stop_ = true;
  FollowedLogs logs({log("a"), log("b")}, kSoon, stop_);
  EXPECT_EQ(all_of(logs), (Texts{"a calls", "b calls", "b ends", "a ends"}));
}

TEST_F(Followed, LaterLinesAndLaterLogsAreRead) {
  say("a", "invoke", monotonic_ns());
  FollowedLogs logs({folder_}, kSoon, stop_);
  Event event;
  ASSERT_TRUE(logs.next(event));
  EXPECT_FALSE(logs.may_tie());
  std::thread writer([this] {
    const std::int64_t now_ns = monotonic_ns();
    say("b", "invoke", now_ns);
    say("a", "ok", now_ns + 1);
    write("b", R"({"process":"b","type":"ok","f":"acquire","key":"k","time":)" + std::to_string(now_ns + 2));
    write("b", "}\n");
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    stop_ = true;
  });
  EXPECT_EQ(all_of(logs), (Texts{"b calls", "a ends", "b ends"}));
  EXPECT_EQ(logs.logs(), 2U);
  writer.join();
}

TEST_F(Followed, EventIsKeptBackForTheDelay) {
  say("a", "invoke", monotonic_ns());
  FollowedLogs logs({log("a")}, kSoon, stop_);
  Event event;
  ASSERT_TRUE(logs.next(event));
  EXPECT_GE(monotonic_ns(), event.time_ns + kSoon.delay_ns);
}

TEST_F(Followed, TimesOfDayAreFollowedToo) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const std::int64_t now_ns = std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
  say("a", "invoke", now_ns);
  FollowedLogs logs({log("a")}, kSoon, stop_);
  Event event;
  ASSERT_TRUE(logs.next(event));
  EXPECT_EQ(event.time_ns, now_ns);
}

TEST_F(Followed, LateLineIsRefused) {
  say("a", "invoke", monotonic_ns());
  say("b", "invoke", monotonic_ns());
  FollowedLogs logs({log("a"), log("b")}, kSoon, stop_);
  Event event;
  ASSERT_TRUE(logs.next(event));
  ASSERT_TRUE(logs.next(event));
  say("a", "ok", event.time_ns - 1);
  const std::string why = refusal([&] { logs.next(event); });
  EXPECT_NE(why.find("a.jsonl:2: time: 1 ms before an event that was already judged; remedy: a longer --delay"),
            std::string::npos)
      << why;
}

TEST_F(Followed, OtherClockIsRefused) {
  say("a", "invoke", monotonic_ns() + 7200 * kSecond_ns);
  FollowedLogs ahead({log("a")}, kSoon, stop_);
  Event event;
  EXPECT_NE(refusal([&] { ahead.next(event); }).find("of another clock than this machine's"), std::string::npos);
  say("b", "invoke", monotonic_ns());
  say("c", "invoke", 1'700'000'000'000'000'000);
  FollowedLogs two({log("b"), log("c")}, kSoon, stop_);
  EXPECT_NE(refusal([&] { two.next(event); }).find("of another clock than that of the other logs"), std::string::npos);
}

TEST_F(Followed, ShorterLogIsRefused) {
  say("a", "invoke", monotonic_ns());
  FollowedLogs logs({log("a")}, kSoon, stop_);
  Event event;
  ASSERT_TRUE(logs.next(event));
  std::filesystem::resize_file(log("a"), 3);
  EXPECT_NE(refusal([&] { logs.next(event); }).find("has become shorter"), std::string::npos);
}

TEST_F(Followed, BrokenLineNamesItsPlace) {
  say("a", "invoke", monotonic_ns());
  write("a", "{nonsense}\n");
  stop_ = true;
  EXPECT_NE(refusal([&] { FollowedLogs({log("a")}, kSoon, stop_); }).find("a.jsonl:2: "), std::string::npos);
}

}  // namespace
}  // namespace holdfast
