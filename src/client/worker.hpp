// The load of one thread of a client: acquire, work on the resource, renew, release or leave, pause; until it is told
// to stop. Every attempt is journalled with its invocation and completion; an indeterminate acquire retires the process
// identity (`after_info: abandon`), because nobody knows whether that owner holds the lock.
//
// A client of several threads has one Lock, as a program has that uses a lock library, and each thread a session, a
// claim and a process identity of its own. A job may need several keys: they are acquired one after the other, and
// whoever does not get all of them within half a lease lets go and begins again.
//
// Where processes tick (`tick_ms`, a leader's lock) each asks at a fixed delay from the end of its last tick, to become
// the leader or to stay it; who leads does its job in each tick that said so, and never leaves.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "artifact/plan.hpp"
#include "artifact/units.hpp"
#include "client/client_session.hpp"
#include "client/resource_client.hpp"
#include "client/watchdog.hpp"
#include "history/journal.hpp"
#include "lock/lock.hpp"

namespace holdfast {

// What the threads of one client share.
struct Team {
  const Plan& plan;
  const LockType& type;
  ControlPage& page;
  Lock& lock;
  std::string key_prefix;                    // the lock's, on a server that others use too
  std::atomic<std::uint64_t> numbers{0};     // operations so far, the watchdogs' too
  std::atomic<std::uint32_t> identities{0};  // process identities so far
  std::atomic<bool> failed{false};           // one of them did, and all are to end
};

// What each has of its own.
struct Member {
  std::uint32_t client = 0;
  std::uint32_t thread = 0;
  std::uint64_t seed = 0;  // of its choices
  ClientSession& session;
  ResourceClient& resource;
  JournalWriter& journal;
  Watchdog* watchdog;  // of locks that have one
};

class Worker {
 public:
  Worker(Team& team, const Member& self);
  void start();  // what the application does when it starts; before the load
  void run();

 private:
  struct Grant {
    Claim claim;
    std::uint32_t key = 0;
    std::uint64_t number = 0;
    std::uint32_t process = 0;         // the identity that asked: the worker may have another by now
    std::optional<std::int64_t> base;  // what it read of the resource
    bool mine = true;                  // as far as the client knows
  };
  static std::string own_key(std::int64_t key) { return "k" + std::to_string(key); }  // the resource's
  Key lock_key(std::int64_t key) const;
  bool stopping() const { return page_.stop.load() != 0 || team_.failed.load(); }
  void new_identity();
  void new_owner();
  std::string filled(const std::string& text) const;
  void name(Claim& claim) const;
  void round();
  std::vector<std::uint32_t> draw_keys();
  bool gather(std::vector<Grant>& held);
  bool take(Grant& grant, std::int64_t until_ns);
  bool acquire(Grant& grant);
  Answer ask(Grant& grant);
  Answer ask_shown(Grant& grant);
  void retire(Grant& grant);
  void refused(const Grant& grant);
  void about(const Grant& grant);
  void begin_belief(const Grant& grant);
  void end_belief(const Grant& grant);
  void waits(bool yes);
  void work(std::vector<Grant>& held);
  void lead(std::vector<Grant>& held);
  void let_go(std::vector<Grant>& held);
  void reenter(Grant& grant);
  bool hold(std::vector<Grant>& held);
  Answer renew(Grant& grant);
  std::int64_t delay_ms() const { return load_.tick_ms > 0 ? load_.tick_ms : load_.poll_ms; }  // after a refusal
  void wait_for_tick() { sleep_until(trial_ns() + load_.tick_ms * kMillisecond_ns); }
  void write(Grant& grant, std::int64_t base);
  void finish(Grant& grant);
  void leave(const Grant& grant, Reason reason);

  // Journals invocation and completion around `work`; turns what it throws into an outcome.
  Answer operation(Op op, const Grant& grant, std::uint64_t number, const std::function<Answer()>& work);
  Event event(EventType type, Op op, const Grant& grant, std::uint64_t number) const;
  void sleep_until(std::int64_t time_ns);
  std::int64_t draw(const Range& range);
  std::int64_t trial_ns() const { return monotonic_ns() - page_.zero_ns; }

  Team& team_;
  const Member self_;
  const Load& load_;
  const LockType& type_;
  ControlPage& page_;
  ClientSlot& slot_;
  ClientSession& session_;
  JournalWriter& journal_;
  Lock& lock_;
  Watchdog* watchdog_;
  const std::int64_t lease_ms_;
  const std::vector<std::uint32_t> keys_;  // that it uses
  std::mt19937_64 random_;
  std::uint32_t process_ = 0;
  std::atomic<std::uint64_t>& number_;
  std::vector<std::uint32_t> believed_;  // keys that it believes to hold
  std::string uuid_;
  std::uint64_t owners_ = 0;  // so far
};

}  // namespace holdfast
