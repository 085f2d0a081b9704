// Faults that do not last are found out: by looks throughout, by what a look in between cannot see, and by probes.
#include "nemesis/fault_run.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <functional>

#include "tests/nemesis/carried_out.hpp"
#include "tests/refusal.hpp"

namespace holdfast {
namespace {

// A world in which something happens by itself after a while.
class ChangingWorld : public FakeWorld {
 public:
  explicit ChangingWorld(const std::function<void(FakeWorld&)>& later = [](FakeWorld&) {}) {
    at_wait = [this, later] {
      if (++waits_ != kLater) return;
      changed = true;
      later(*this);
    };
  }
  std::atomic<bool> changed{false};

 private:
  static constexpr int kLater = 4;
  std::atomic<int> waits_{0};
};

constexpr const char* kLong = R"(, "for_ms": 9000)";

TEST(FaultWatch, PauseEndedFromOutsideIsAnError) {
  ChangingWorld world([](FakeWorld& now) { now.processes.signal(2, SIGCONT); });
  const auto report = carried_out(world, {fault_spec("pause", kAtPhase, kLong)});
  EXPECT_TRUE(contains(only_error(report), "fault pause: it did not last: it was in force for ")) << only_error(report);
}

// Between two looks: the state is unchanged, and only the processor time shows it.
TEST(FaultWatch, BrieflyLiftedPauseIsAnError) {
  ChangingWorld world([](FakeWorld& now) { ++now.client_ran_ns; });
  EXPECT_TRUE(contains(only_error(carried_out(world, {fault_spec("pause", kAtPhase, kLong)})), "it did not last"));
  ChangingWorld server([](FakeWorld& now) { ++now.server_ran_ns; });
  EXPECT_TRUE(
      contains(only_error(carried_out(server, {fault_spec("server_pause", kAtPhase, kLong)})), "it did not last"));
}

// A client of several threads may show an older reading of its clock once more.
TEST(FaultWatch, OldClockReadingDoesNotEndTheFault) {
  ChangingWorld world;
  class Changed : public FakeClientClocks {
   public:
    explicit Changed(ChangingWorld& all) : FakeClientClocks(all), changed_(all.changed) {}
    std::optional<std::int64_t> offset_seen_ns(std::uint32_t client) const override {
      return changed_ && old_-- > 0 ? 0 : FakeClientClocks::offset_seen_ns(client);
    }

   private:
    std::atomic<bool>& changed_;
    mutable std::atomic<int> old_{1};
  } clocks(world);
  world.offer(clocks);
  EXPECT_EQ(carried_out(world, {fault_spec("client_skew", kAtPhase, R"(, "for_ms": 9000, "step_ms": 500)")}).errors,
            Tellings{});
}

TEST(FaultWatch, KilledWhileStoppedCountsAsStopped) {
  ChangingWorld world([](FakeWorld& now) { now.processes.kill(2); });
  EXPECT_EQ(carried_out(world, {fault_spec("pause", kAtPhase, kLong)}).errors, Tellings{});
}

// The rules are loaded, and packets get through all the same.
TEST(FaultWatch, ACutThatAProbePassesIsAnError) {
  ChangingWorld world;
  class Changed : public FakeClientNetwork {
   public:
    explicit Changed(ChangingWorld& all) : FakeClientNetwork(all), changed_(all.changed) {}
    bool reaches(std::uint32_t client, const std::string& address) const override {
      return changed_ || FakeClientNetwork::reaches(client, address);
    }

   private:
    std::atomic<bool>& changed_;
  } network(world);
  world.offer(network);
  EXPECT_TRUE(contains(only_error(carried_out(world, {fault_spec("partition", kAtPhase, kLong)})), "it did not last"));
}

TEST(FaultWatch, AFaultThatEndsAtAPointIsWatchedToo) {
  ChangingWorld world([](FakeWorld& now) { now.processes.signal(2, SIGCONT); });
  world.comes_late = [&world] { return world.changed.load(); };
  const auto report = carried_out(world, {fault_spec("pause", kAtPhase, R"(, "until": {"phase": "granted"})")});
  EXPECT_TRUE(contains(only_error(report), "it did not last")) << only_error(report);
}

TEST(FaultWatch, UnreadableClockAtTheEndIsAnError) {
  ChangingWorld world;
  class Changed : public FakeServerClocks {
   public:
    explicit Changed(ChangingWorld& all) : FakeServerClocks(all), changed_(all.changed) {}
    std::optional<ClockReading> read(std::uint32_t server) const override {
      return changed_ ? std::nullopt : FakeServerClocks::read(server);
    }

   private:
    std::atomic<bool>& changed_;
  } clocks(world);
  world.offer(clocks);
  const auto report = carried_out(world, {fault_spec("server_clock", kAtPhase, R"(, "for_ms": 9000, "step_ms": 500)")});
  ASSERT_GE(report.errors.size(), 1u);
  EXPECT_TRUE(contains(report.errors[0], "fault server_clock: could not confirm that it lasted: ")) << report.errors[0];
}

TEST(FaultWatch, ADriftThatStopsIsAnError) {
  ChangingWorld world;
  class Changed : public FakeServerClocks {
   public:
    explicit Changed(ChangingWorld& all) : FakeServerClocks(all), changed_(all.changed) {}
    std::optional<ClockReading> read(std::uint32_t server) const override {
      if (!changed_) last_ = *FakeServerClocks::read(server);
      return last_;
    }

   private:
    std::atomic<bool>& changed_;
    mutable ClockReading last_;
  } clocks(world);
  world.offer(clocks);
  const auto report = carried_out(world, {fault_spec("server_drift", kAtPhase, R"(, "for_ms": 9000, "percent": 50)")});
  ASSERT_GE(report.errors.size(), 1u);
  EXPECT_TRUE(contains(report.errors[0], "fault server_drift: it did not last")) << report.errors[0];
}

}  // namespace
}  // namespace holdfast
