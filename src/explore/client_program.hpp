// The program of a simulated client: the load loop (driver/load_loop.hpp) on a stage where time passes only by the
// scheduler's words. A round is: acquire until granted or refused `attempts` times; work; renew if the lock renews;
// check the deadline if the lock has one; release or leave. The lock's watchdog, if any, is a separate program that
// renews at every third of the lease, or at the lock's interval, from the grant to the call of release. A process with
// ticks waits that interval between attempts; a leader ticks once more and then ends.
//
// It writes to no resource; tokens show whether a write would be refused.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "driver/load_loop.hpp"
#include "driver/lock_driver.hpp"
#include "explore/explore_settings.hpp"
#include "explore/names.hpp"
#include "explore/simulated_client.hpp"
#include "lock/lock.hpp"

namespace holdfast {

class ClientProgram : private LoadStage {
 public:
  ClientProgram(const ExploreSettings& settings, const LockType& type, const ScheduleNames& names,
                SimulatedClient& actor)
      : settings_(settings), type_(type), names_(names), actor_(actor), keeps_nothing_(keeps_nothing(type)) {}

  void run();           // program of a client
  void run_watchdog();  // program of its watchdog, which is another simulated client
  void run_probe();     // tries twice to acquire: tests whether the lock is available

 private:
  bool begin_round() override;
  bool goes_on() const override { return true; }
  std::vector<std::uint32_t> draw_keys() override { return {0}; }
  void new_owner() override {}  // named by round and attempt
  Claim claim(std::uint32_t key) override;
  bool tries(int attempt, const std::vector<Grant>& held) override;
  Answer operation(Op op, Depth depth, Grant& grant, const std::function<Answer()>& work) override;
  void wait_to_retry() override {}
  void retire() override { abandoned_ += 'x'; }
  void refused(const Grant&) override {}
  void gave_up() override {}
  void granted(Grant& grant) override;
  void begin_job(Grant&) override { actor_.sleep_until(0); }
  void begin_hold() override { renewed_ = false; }
  bool next_renewal(const AskLost& lost) override;
  bool look(const Grant& grant, const std::function<bool()>& still_held) override;
  void end_job(Grant&, const std::function<void()>&) override {}
  bool next_tick(const std::function<bool()>& lost) override;
  void before_release(Grant&) override { watch({}); }
  void leave(const Grant&, Reason) override {}
  void let_go(const Grant& grant) override;
  void end_round(const std::vector<Grant>& held) override;

  void begin();
  LoadRules rules() const;
  void watch(Watch watch);
  Answer said(Op op, bool background, const std::function<Answer()>& work);
  bool ticks() const { return type_.tick_ms > 0; }
  std::int64_t lease_us() const { return settings_.lease_ms * kMillisecond_us; }
  std::int64_t watchdog_delay_us() const { return watchdog_delay_ms(type_, settings_.lease_ms) * kMillisecond_us; }
  // Next tick of a process with ticks; for others, as soon as the scheduler lets it run.
  std::int64_t tick_us() const { return ticks() ? actor_.now_us() + type_.tick_ms * kMillisecond_us : 0; }

  const ExploreSettings& settings_;
  const LockType& type_;
  const ScheduleNames& names_;
  SimulatedClient& actor_;
  const bool keeps_nothing_;  // whether the lock keeps nothing between attempts
  std::optional<LockDriver> driver_;
  bool probes_ = false;
  int round_ = 0;
  std::string abandoned_;  // a letter for each owner abandoned in this round
  bool renewed_ = false;   // in this hold
  bool ticked_ = false;    // in this round, as a leader
  std::int64_t granted_us_ = 0;
};

}  // namespace holdfast
