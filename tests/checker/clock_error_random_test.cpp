// Random histories of a correct lock, written by processes whose clocks differ: with the bound of the difference none
// is violated, though many are without it; and holds that overlap for longer are still found.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "artifact/units.hpp"
#include "checker/check.hpp"
#include "history/clock_error.hpp"
#include "history/open_history.hpp"
#include "tests/temporary_folder.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kDifference_ns = 10 * kMillisecond_ns;
constexpr int kProcesses = 3;
constexpr int kSteps = 400;

// A lock, and processes that call it; each call has an effect at some time between call and answer.
class Simulation {
 public:
  explicit Simulation(unsigned seed) : draw_(seed) {
    for (Process& process : processes_) process.offset_ns = between(-kDifference_ns / 2, kDifference_ns / 2);
    for (int i = 0; i < kSteps; ++i) {
      now_ns_ += between(0, 3 * kMillisecond_ns);
      step(static_cast<int>(between(0, kProcesses - 1)));
    }
  }
  std::string text() const {
    std::string out;
    for (const auto& [time, line] : lines_) out += line;
    return out;
  }

 private:
  enum class Phase : std::uint8_t { idle, called, acted };
  struct Process {
    std::int64_t offset_ns = 0;
    Phase phase = Phase::idle;
    bool releases = false;  // its operation
    bool granted = false;   // as it was told, or if it cannot know
    bool clean_up = false;
    bool done = false;
  };
  std::int64_t between(std::int64_t least, std::int64_t most) {
    return std::uniform_int_distribution<std::int64_t>(least, most)(draw_);
  }
  void write(int id, const char* type, const std::string& more = "") {
    const Process& process = processes_[id];
    const std::int64_t time_ns = 1000 * kMillisecond_ns + now_ns_ + process.offset_ns;
    lines_.emplace(time_ns, fmt::format(R"({{"process":{},"f":"{}","key":"k","time":{},"type":"{}"{}}})", id,
                                        process.releases ? "release" : "acquire", time_ns, type, more) +
                                "\n");
  }
  void step(int id) {
    Process& process = processes_[id];
    if (process.phase == Phase::idle) {
      process.releases = process.granted;
      write(id, "invoke");
      process.phase = Phase::called;
    } else if (process.phase == Phase::called) {
      process.done = act(id);
      process.phase = Phase::acted;
    } else {
      process.phase = Phase::idle;
      answer(id);
    }
  }
  bool act(int id) {
    const bool able = owner_ == (processes_[id].releases ? id : -1);
    if (able) owner_ = processes_[id].releases ? -1 : id;
    return able;
  }
  void answer(int id) {
    Process& process = processes_[id];
    if (between(0, 15) == 0 && !process.clean_up) {  // lost
      write(id, "info");
      process.granted = process.clean_up = true;
      return;
    }
    const std::string refused = process.releases ? R"(,"reason":"not_held")" : R"(,"reason":"busy")";
    write(id, process.done ? "ok" : "fail", process.done ? "" : refused);
    process.granted = process.done && !process.releases;
    process.clean_up = false;
  }

  std::mt19937 draw_;
  Process processes_[kProcesses];
  std::multimap<std::int64_t, std::string> lines_;
  std::int64_t now_ns_ = 0;
  int owner_ = -1;
};

Judgement judge(const std::string& file, std::int64_t difference_ns) {
  const auto source = open_history(file);
  if (difference_ns == 0) return check_history(*source).judgement;
  ClockError bounded(*source, difference_ns);
  return check_history(bounded).judgement;
}

TEST(ClockErrorRandom, CorrectLockIsNeverAccused) {
  const TemporaryFolder folder;
  int accused = 0;
  int held = 0;
  for (unsigned seed = 1; seed <= 500; ++seed) {
    const std::string file = folder.write("h.jsonl", Simulation(seed).text());
    if (judge(file, 0) == Judgement::violated) ++accused;
    const Judgement judgement = judge(file, kDifference_ns);
    EXPECT_NE(judgement, Judgement::violated) << "seed " << seed;
    if (judgement == Judgement::holds) ++held;
  }
  EXPECT_GT(accused, 50);
  EXPECT_GT(held, 400);
}

TEST(ClockErrorRandom, OverlapCountsFromTheBoundOn) {
  const TemporaryFolder folder;
  const auto pair = [&](std::int64_t overlap_ms) {
    const auto line = [](int process, const char* f, std::int64_t ms, const char* type) {
      return fmt::format(R"({{"process":{},"f":"{}","time":{},"type":"{}"}})", process, f, ms * kMillisecond_ns, type) +
             "\n";
    };
    return folder.write("h.jsonl", line(1, "acquire", 0, "invoke") + line(1, "acquire", 1, "ok") +
                                       line(2, "acquire", 40, "invoke") + line(2, "acquire", 100, "ok") +
                                       line(1, "release", 100 + overlap_ms, "invoke") + line(1, "release", 200, "ok") +
                                       line(2, "release", 300, "invoke") + line(2, "release", 301, "ok"));
  };
  EXPECT_EQ(judge(pair(1), 0), Judgement::violated);
  EXPECT_EQ(judge(pair(10), kDifference_ns), Judgement::holds);
  EXPECT_EQ(judge(pair(11), kDifference_ns), Judgement::violated);
}

}  // namespace
}  // namespace holdfast
