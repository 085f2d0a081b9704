// What a simulated client does: the load of the client processes (client/worker.cpp), with the same calls of the lock
// in the same order. A round is: acquire until granted or refused `attempts` times; work; renew where the lock renews;
// look at the deadline where the lock has one; release or leave. Its watchdog, where the lock has one, renews at every
// third of the lease from the grant to the call of release.
//
// What it does not do: it writes to no resource. Whether a write would be refused follows from the tokens.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <optional>

#include "explore/explore_settings.hpp"
#include "explore/names.hpp"
#include "explore/player.hpp"
#include "lock/lock.hpp"

namespace holdfast {

// Told what a client is about, as it happens.
class Witnesses {
 public:
  virtual ~Witnesses() = default;
  virtual void asked(Player& actor, Op op, bool background) = 0;
  virtual void answered(Player& actor, Op op, bool background, const Answer& answer) = 0;
  virtual void left(Player& actor) = 0;
  virtual void broke(Player& actor, const std::string& what) = 0;  // an error that the lock did not expect
};

// What a watchdog watches; shared by a client and its watchdog.
struct Watch {
  std::optional<Claim> claim;
  std::int64_t next_us = 0;
};

class ClientProgram {
 public:
  ClientProgram(const ExploreSettings& settings, const LockType& type, ScheduleNames& names, Player& actor,
                Player* watchdog, Witnesses& witnesses)
      : settings_(settings), type_(type), names_(names), actor_(actor), watchdog_(watchdog), witnesses_(witnesses) {}

  void run();           // of the client
  void run_watchdog();  // of its watchdog, beside it
  bool acquire_once();  // of nobody but a probe: whether the lock can be had

 private:
  void begin_round();
  void round();
  bool acquire();
  bool hold();
  void finish();
  void unwatch();
  void new_owner();
  std::int64_t lease_us() const { return settings_.lease_ms * kMillisecond_us; }
  Answer operation(Op op, Player& actor, bool background, const std::function<Answer()>& work);

  const ExploreSettings& settings_;
  const LockType& type_;
  ScheduleNames& names_;
  Player& actor_;
  Player* watchdog_;
  Witnesses& witnesses_;
  std::unique_ptr<Lock> lock_;
  std::unique_ptr<Lock> watchdog_lock_;
  Claim claim_;
  int round_ = 0;
  std::string abandoned_;  // a letter for each owner given up in this round
  std::int64_t granted_us_ = 0;
  Watch watch_;
};

}  // namespace holdfast
