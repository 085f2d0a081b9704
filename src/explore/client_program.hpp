// What a simulated client does: the load of the client processes (client/worker.cpp), with the same calls of the lock
// in the same order. A round is: acquire until granted or refused `attempts` times; work; renew where the lock renews;
// look at the deadline where the lock has one; release or leave. Its watchdog, where the lock has one, is a program of
// its own that renews at every third of the lease, or as often as the lock says, from the grant to the call of release.
// A process that ticks waits as long between its attempts as it does; one that leads ticks once more, and is then gone.
//
// What it does not do: it writes to no resource. Whether a write would be refused follows from the tokens.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "explore/explore_settings.hpp"
#include "explore/names.hpp"
#include "explore/player.hpp"
#include "lock/lock.hpp"

namespace holdfast {

class ClientProgram {
 public:
  ClientProgram(const ExploreSettings& settings, const LockType& type, const ScheduleNames& names, Player& actor)
      : settings_(settings), type_(type), names_(names), actor_(actor), keeps_nothing_(keeps_nothing(type)) {}

  void run();           // of a client
  void run_watchdog();  // of its watchdog, which is another player
  void run_probe();     // tries twice to acquire: whether the lock can be had

 private:
  void begin_round();
  void begin_attempt(int attempt);
  void round();
  bool acquire();
  bool acquire_once();
  bool hold();
  bool looks_held();
  void finish();
  void watch(Watch watch);
  void new_owner();
  std::int64_t lease_us() const { return settings_.lease_ms * kMillisecond_us; }
  std::int64_t watchdog_delay_us() const { return watchdog_delay_ms(type_, settings_.lease_ms) * kMillisecond_us; }
  // When a process that ticks does so again; of others as soon as the scheduler lets it.
  std::int64_t tick_us() const { return type_.tick_ms > 0 ? actor_.now_us() + type_.tick_ms * kMillisecond_us : 0; }
  Answer operation(Op op, bool background, const std::function<Answer()>& work);

  const ExploreSettings& settings_;
  const LockType& type_;
  const ScheduleNames& names_;
  Player& actor_;
  const bool keeps_nothing_;  // the lock, from one attempt to the next
  std::unique_ptr<Lock> lock_;
  Claim claim_;
  int round_ = 0;
  std::string abandoned_;  // a letter for each owner given up in this round
  std::int64_t granted_us_ = 0;
};

}  // namespace holdfast
