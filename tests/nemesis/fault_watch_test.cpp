// Faults that do not last are found out: by looks throughout, by what a look in between cannot see, and by probes.
#include "nemesis/fault_watch.hpp"

#include <gtest/gtest.h>

#include "tests/nemesis/carried_out.hpp"
#include "tests/refusal.hpp"

namespace holdfast {
namespace {

// A world in which something happens by itself after a while.
class ChangingWorld : public FakeWorld {
 public:
  std::atomic<bool> changed{false};
  bool wait_ms(std::int64_t ms) override {
    if (++waits_ == kLater) {
      changed = true;
      later();
    }
    return FakeWorld::wait_ms(ms);
  }

 protected:
  virtual void later() {}

 private:
  static constexpr int kLater = 4;
  std::atomic<int> waits_{0};
};

constexpr const char* kLong = R"(, "for_ms": 9000)";

TEST(FaultWatch, APauseThatSomebodyElseEndsIsAnError) {
  class Changed : public ChangingWorld {
    void later() override { signal(2, SIGCONT); }
  } world;
  const auto report = carried_out(world, {fault_spec("pause", kAtPhase, kLong)});
  EXPECT_TRUE(contains(only_error(report), "fault pause: it did not last: it was in force for ")) << only_error(report);
}

// Between two looks: the state is as it was, and only the processor time tells.
TEST(FaultWatch, APauseThatIsLiftedForAMomentIsAnError) {
  class Changed : public ChangingWorld {
    void later() override { ++client_ran_ns; }
  } world;
  EXPECT_TRUE(contains(only_error(carried_out(world, {fault_spec("pause", kAtPhase, kLong)})), "it did not last"));
  class OfServer : public ChangingWorld {
    void later() override { ++server_ran_ns; }
  } server;
  EXPECT_TRUE(
      contains(only_error(carried_out(server, {fault_spec("server_pause", kAtPhase, kLong)})), "it did not last"));
}

// A client of several threads may show an older reading of its clock once more.
TEST(FaultWatch, OneOldReadingOfAClockIsNotItsEnd) {
  class Changed : public ChangingWorld {
   public:
    std::int64_t clock_offset_seen(std::uint32_t client) const override {
      return changed && old_-- > 0 ? 0 : FakeWorld::clock_offset_seen(client);
    }

   private:
    mutable std::atomic<int> old_{1};
  } world;
  EXPECT_EQ(carried_out(world, {fault_spec("client_skew", kAtPhase, R"(, "for_ms": 9000, "step_ms": 500)")}).errors,
            Told{});
}

TEST(FaultWatch, WhoIsKilledWhileItIsStoppedWasStopped) {
  class Changed : public ChangingWorld {
    void later() override { kill(2); }
  } world;
  EXPECT_EQ(carried_out(world, {fault_spec("pause", kAtPhase, kLong)}).errors, Told{});
}

// The rules are loaded, and packets get through all the same.
TEST(FaultWatch, ACutThatAProbePassesIsAnError) {
  class Changed : public ChangingWorld {
   public:
    bool reaches(std::uint32_t client, const std::string& address) const override {
      return changed || FakeWorld::reaches(client, address);
    }
  } world;
  EXPECT_TRUE(contains(only_error(carried_out(world, {fault_spec("partition", kAtPhase, kLong)})), "it did not last"));
}

TEST(FaultWatch, AFaultThatEndsAtAPointIsWatchedToo) {
  class Changed : public ChangingWorld {
   public:
    bool arrived(std::size_t number, std::int64_t within_ms) override {
      for (int looks = 0; looks < 2; ++looks) wait_ms(within_ms);
      return changed && FakeWorld::arrived(number, within_ms);
    }

   private:
    void later() override { signal(2, SIGCONT); }
  } world;
  const auto report = carried_out(world, {fault_spec("pause", kAtPhase, R"(, "until": {"phase": "granted"})")});
  EXPECT_TRUE(contains(only_error(report), "it did not last")) << only_error(report);
}

TEST(FaultWatch, WhatCannotBeSeenInTheEndIsAnError) {
  class Changed : public ChangingWorld {
   public:
    std::optional<ClockReading> read_server_clock(std::uint32_t server) const override {
      return changed ? std::nullopt : FakeWorld::read_server_clock(server);
    }
  } world;
  const auto report = carried_out(world, {fault_spec("server_clock", kAtPhase, R"(, "for_ms": 9000, "step_ms": 500)")});
  ASSERT_GE(report.errors.size(), 1u);
  EXPECT_TRUE(contains(report.errors[0], "fault server_clock: whether it lasted could not be seen: "))
      << report.errors[0];
}

TEST(FaultWatch, ADriftThatStopsIsAnError) {
  class Changed : public ChangingWorld {
   public:
    std::optional<ClockReading> read_server_clock(std::uint32_t server) const override {
      if (!changed) last_ = *FakeWorld::read_server_clock(server);
      return last_;
    }

   private:
    mutable ClockReading last_;
  } world;
  const auto report = carried_out(world, {fault_spec("server_drift", kAtPhase, R"(, "for_ms": 9000, "percent": 50)")});
  ASSERT_GE(report.errors.size(), 1u);
  EXPECT_TRUE(contains(report.errors[0], "fault server_drift: it did not last")) << report.errors[0];
}

}  // namespace
}  // namespace holdfast
