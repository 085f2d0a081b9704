// Histories of clocks that differ: what stays certain, and what is left out.
#include "history/clock_error.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "artifact/units.hpp"
#include "history/open_history.hpp"
#include "tests/temporary_folder.hpp"

namespace holdfast {
namespace {

class Clocks : public ::testing::Test {
 protected:
  // An operation of a process, in milliseconds.
  void add(const std::string& process, const std::string& f, int from, int to, const std::string& type = "ok",
           const std::string& more = "") {
    lines_[{from, count_++}] = line(process, f, from, "invoke", "");
    lines_[{to, count_++}] = line(process, f, to, type, more);
  }
  static std::string line(const std::string& process, const std::string& f, int at, const std::string& type,
                          const std::string& more) {
    return fmt::format(R"({{"process":"{}","f":"{}","key":"k","time":{},"type":"{}"{}}})", process, f,
                       at * kMillisecond_ns, type, more) +
           "\n";
  }
  // "a acquire ok 15": what is left at a difference of 10 ms.
  std::vector<std::string> left() {
    std::string text;
    for (const auto& [time, line] : lines_) text += line;
    const auto inner = open_history(folder_.write("h.jsonl", text));
    ClockError source(*inner, 10 * kMillisecond_ns);
    std::vector<std::string> out;
    std::int64_t last_ns = 0;
    for (Event event; source.next(event);) {
      EXPECT_GE(event.time_ns, last_ns);
      EXPECT_EQ(event.index, out.size());
      last_ns = event.time_ns;
      out.push_back(fmt::format("{} {} {} {}", source.names().processes.at(event.process), to_text(event.op),
                                to_text(event.type), event.time_ns / kMillisecond_ns));
    }
    warnings_ = source.warnings(true);
    return out;
  }

  std::map<std::pair<int, int>, std::string> lines_;
  int count_ = 0;
  TemporaryFolder folder_;
  std::vector<std::string> warnings_;
};

using Texts = std::vector<std::string>;

TEST_F(Clocks, AnswersComeLater) {
  add("a", "acquire", 0, 5);
  add("a", "release", 50, 60);
  EXPECT_EQ(left(), (Texts{"a acquire invoke 0", "a acquire ok 15", "a release invoke 50", "a release ok 70"}));
  EXPECT_TRUE(warnings_.empty());
}

TEST_F(Clocks, NothingIsCertainOfAShortHold) {
  add("a", "acquire", 0, 5);
  add("a", "release", 14, 16);
  EXPECT_EQ(left(), (Texts{"a acquire invoke 0", "a acquire fail 14"}));
  ASSERT_EQ(warnings_.size(), 1U);
  EXPECT_NE(warnings_[0].find("only holds longer than 10 ms are judged; left out: 1 of shorter ones"),
            std::string::npos);
}

TEST_F(Clocks, NextAcquireIsCalledWithTheAnswerBefore) {
  add("a", "acquire", 0, 5);
  add("a", "release", 50, 60);
  add("a", "acquire", 61, 62, "fail", R"(,"reason":"busy")");
  add("a", "acquire", 63, 90);
  EXPECT_EQ(left(), (Texts{"a acquire invoke 0", "a acquire ok 15", "a release invoke 50", "a release ok 70",
                           "a acquire invoke 70", "a acquire fail 70", "a acquire invoke 70", "a acquire ok 100"}));
}

TEST_F(Clocks, UnknownOutcomesAndTheirCleanUpsAreLeftOut) {
  add("a", "acquire", 0, 5, "info");
  add("a", "release", 50, 60);
  add("a", "acquire", 80, 90);
  add("a", "renew", 95, 96);
  add("a", "release", 120, 130, "info");
  add("a", "release", 140, 150);
  EXPECT_EQ(left(), (Texts{"a acquire invoke 0", "a acquire fail 5", "a acquire invoke 80", "a acquire ok 100",
                           "a release invoke 120", "a release ok 140"}));
}

TEST_F(Clocks, ReleaseInVainKeepsTheHold) {
  add("a", "acquire", 0, 5);
  add("a", "release", 50, 60, "fail", R"(,"reason":"unavailable")");
  add("a", "release", 80, 90);
  EXPECT_EQ(left(), (Texts{"a acquire invoke 0", "a acquire ok 15", "a release invoke 50", "a release fail 70",
                           "a release invoke 80", "a release ok 100"}));
}

}  // namespace
}  // namespace holdfast
