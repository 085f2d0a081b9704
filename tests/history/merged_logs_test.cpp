// Several logs as one history: their order, their names, their clocks, and what is said of them.
#include "history/merged_logs.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "artifact/error.hpp"
#include "history/open_history.hpp"

namespace holdfast {
namespace {

// Logs named a, b, c, ... in a folder of their own.
class Logs {
 public:
  explicit Logs(const std::vector<std::string>& texts) {
    std::filesystem::create_directory(folder_);
    for (std::size_t i = 0; i < texts.size(); ++i) {
      paths.push_back(folder_ + "/" + static_cast<char>('a' + i));
      std::ofstream(paths.back(), std::ios::binary) << texts[i];
    }
  }
  ~Logs() { std::filesystem::remove_all(folder_); }
  Logs(const Logs&) = delete;
  Logs& operator=(const Logs&) = delete;

  std::string short_of(std::string text) const {
    for (auto at = text.find(folder_ + "/"); at != std::string::npos; at = text.find(folder_ + "/")) {
      text.erase(at, folder_.size() + 1);
    }
    return text;
  }

  std::vector<std::string> paths;

 private:
  std::string folder_ = "/tmp/holdfast-merged-logs-test-" + std::to_string(::getpid());
};

std::string said(const std::string& time, const std::string& process, const char* type = "info",
                 const char* f = "leave") {
  return "{\"time\":" + time + ",\"process\":\"" + process + "\",\"type\":\"" + type + "\",\"f\":\"" + f + "\"}\n";
}

struct Merged {
  std::string order;  // "10:p1@a:1 "
  std::string refusal;
  std::vector<std::string> warnings;
};

Merged merged(const std::vector<std::string>& texts) {
  const Logs logs(texts);
  Merged out;
  try {
    const auto source = open_logs(logs.paths);
    for (Event event; source->next(event);) {
      out.order += std::to_string(event.time_ns) + ":" + source->names().processes.at(event.process) + "@" +
                   logs.short_of(source->place()) + " ";
    }
    for (const auto& warning : source->warnings(true)) out.warnings.push_back(logs.short_of(warning));
  } catch (const BadInput& e) {
    out.refusal = logs.short_of(e.what());
  }
  return out;
}

TEST(MergedLogs, AreInTheOrderOfTheirTimes) {
  EXPECT_EQ(merged({said("10", "x") + said("30", "x"), said("20", "y") + said("40", "y")}).order,
            "10:x@a:1 20:y@b:1 30:x@a:2 40:y@b:2 ");
  EXPECT_EQ(merged({"[" + said("10", "x") + "," + said("30", "x") + "]", said("20", "y")}).order,
            "10:x@a:1 20:y@b:1 30:x@a:2 ")
      << "an array among lines";
  EXPECT_EQ(merged({said("10", "x") + said("30", "x") + said("20", "y")}).order, "10:x@a:1 20:y@a:3 30:x@a:2 ")
      << "threads write their lines later than they took the time";
}

TEST(MergedLogs, EventsAreRenumbered) {
  const Logs logs({R"({"index":7,"time":1,"process":1,"type":"info","f":"leave"})",
                   R"({"index":7,"time":2,"process":2,"type":"info","f":"leave"})"});
  const auto source = open_logs(logs.paths);
  Event event;
  for (std::uint64_t index = 0; source->next(event); ++index) EXPECT_EQ(event.index, index);
}

TEST(MergedLogs, ObserverNamesMatchOtherLogsClients) {
  const auto holder = [](const char* client) {
    const Logs logs({R"({"time":1,"process":"observer","type":"info","f":"leader","client":2,"holder":7})",
                     R"({"time":2,"process":"x","type":"invoke","f":"acquire")" + std::string(client) + "}"});
    const auto source = open_logs(logs.paths);
    Event event;
    source->next(event);
    return event.holder;
  };
  EXPECT_EQ(holder(R"(,"client":5)"), 7U);
  EXPECT_EQ(holder(""), 0U) << "the first process that is named";
}

TEST(MergedLogs, SameNameIsTheSameProcess) {
  EXPECT_EQ(merged({said("10", "x") + said("30", "x"), said("20", "x")}).refusal,
            "b:1: process x is also in a, but a name means one process in all logs; remedy: give each process a unique "
            "name, such as HOST-PID");
  const auto rotated = merged({said("10", "x", "invoke", "acquire"), said("20", "x", "ok", "acquire")});
  EXPECT_EQ(rotated.order, "10:x@a:1 20:x@b:1 ") << "the first log has ended: " << rotated.refusal;
  EXPECT_TRUE(rotated.warnings.empty()) << rotated.warnings.front();
}

TEST(MergedLogs, UnmergeableLogsAreRefused) {
  EXPECT_EQ(merged({said("10", "x"), ""}).refusal, "b: is empty: a history has one event per line");
  EXPECT_EQ(merged({R"({"process":1,"type":"info","f":"leave"})"}).refusal,
            "a:1: time: is missing; logs are merged by time");
  EXPECT_EQ(merged({R"({"holdfast_history":3,"model":"owner"})"}).refusal,
            "a:1: is the complete history of a run; remedy: holdfast check a");
  EXPECT_EQ(merged({said("10", "x"), said("1.5", "y")}).refusal,
            "b: its times are in seconds (with a decimal point), and those of a are in nanoseconds (whole numbers), so "
            "they cannot be compared; remedy: write all times in one form, from one clock");
  EXPECT_EQ(merged({said("10", "x") + said("9", "x")}).refusal,
            "a:2: time: goes backwards for process x, from 10 to 9 ns, as if its clock had been set; remedy: record "
            "the times of a monotonic clock");
  EXPECT_EQ(merged({said("10", "x") + said("20", "x", "ok", "acquire")}).refusal,
            "a:2: an ok of acquire by process x that it did not invoke");
  EXPECT_EQ(merged({"{:type :invoke}"}).refusal,
            "a: is EDN, which is one history of all processes; remedy: check it without --merge");
  std::string late;
  for (std::size_t i = 0; i < kReordered + 2; ++i) late += said(std::to_string(100 + i), "x");
  EXPECT_EQ(merged({late + said("5", "y")}).refusal.find("a:1027: time: goes backwards over more than 1024 lines"), 0U);
  const Logs twice({said("10", "x")});
  EXPECT_THROW(open_logs({twice.paths[0], twice.paths[0]}), BadInput);
}

TEST(MergedLogs, WarnsOfALogThatEndsEarly) {
  const auto log = [](const std::string& process, int from, int to) {
    std::string text;
    for (int second = from; second <= to; ++second) text += said(std::to_string(second) + "000000000", process);
    return text;
  };
  const auto cut = merged({log("x", 1, 60), log("y", 1, 20)});
  ASSERT_EQ(cut.warnings.size(), 1U);
  EXPECT_EQ(cut.warnings[0],
            "b: ends 40.000 s before the last event of all logs; if it was cut off, or its program was killed, later "
            "operations of its processes are not judged");
  EXPECT_TRUE(merged({log("x", 1, 60), log("y", 1, 58)}).warnings.empty()) << "as good as the same time";
  EXPECT_TRUE(merged({log("x", 1, 60), said("1000000000", "y") + said("40000000000", "y")}).warnings.empty())
      << "it was silent for longer before";
  const auto apart = merged({log("x", 1, 20), log("y", 5, 20), log("z", 30, 60)});
  ASSERT_EQ(apart.warnings.size(), 3U);
  EXPECT_EQ(apart.warnings[2],
            "c: does not overlap in time with any other log, so it may use a different clock; nothing between it and "
            "the others was tested");
}

TEST(MergedLogs, TimesOfDayAreDoubted) {
  const auto day = merged({said(R"("2026-11-24T22:51:58Z")", "x"), said(R"("2026-11-24T22:51:58Z")", "y")});
  ASSERT_EQ(day.warnings.size(), 1U) << day.refusal;
  EXPECT_EQ(day.warnings[0].find("the logs are merged by times of day"), 0U);
  EXPECT_TRUE(merged({said(R"("2026-11-24T22:51:58Z")", "x")}).warnings.empty()) << "one clock";
}

// Whatever the logs: the same events as those of one file in the order of times.
RC_GTEST_PROP(MergedLogs, MatchASortOfAllEvents, ()) {
  const auto sizes = *rc::gen::container<std::vector<int>>(3, rc::gen::inRange(1, 30));
  std::vector<std::string> texts;
  std::vector<std::pair<int, std::string>> all;
  for (std::size_t log = 0; log < sizes.size(); ++log) {
    std::string& text = texts.emplace_back();
    int now = *rc::gen::inRange(0, 50);
    for (int i = 0; i < sizes[log]; ++i) {
      const std::string process = std::string(1, static_cast<char>('p' + log));
      text += said(std::to_string(now), process);
      all.emplace_back(now, std::to_string(now) + ":" + process + "@" + static_cast<char>('a' + log) + ":" +
                                std::to_string(i + 1) + " ");
      now += *rc::gen::inRange(0, 4);
    }
  }
  std::stable_sort(all.begin(), all.end(), [](const auto& x, const auto& y) { return x.first < y.first; });
  std::string sorted;
  for (const auto& [time, line] : all) sorted += line;
  RC_ASSERT(merged(texts).order == sorted);
}

}  // namespace
}  // namespace holdfast
