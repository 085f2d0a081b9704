// One client's load: acquire, work on the resource, renew, release or leave, pause; until it is told to stop. Every
// attempt is journalled with its invocation and completion; an indeterminate acquire retires the process identity
// (`after_info: abandon`), because nobody knows whether that owner holds the lock.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <string>

#include "artifact/plan.hpp"
#include "client/client_session.hpp"
#include "client/resource_client.hpp"
#include "client/watchdog.hpp"
#include "history/journal.hpp"
#include "lock/lock.hpp"

namespace holdfast {

class Worker {
 public:
  Worker(const Plan& plan, const ClientPlan& self, const LockType& type, ControlPage& page, ClientSession& session,
         ResourceClient& resource, JournalWriter& journal, Watchdog* watchdog, std::atomic<std::uint64_t>& numbers);
  void start();  // what the application does when it starts; before the load
  void run();
  void begin_keys(const std::string& with) { key_prefix_ = with; }  // the lock's, on a server that others use too

 private:
  struct Grant {
    Claim claim;
    std::uint32_t key = 0;
    std::uint64_t number = 0;
  };
  static std::string own_key(std::int64_t key) { return "k" + std::to_string(key); }  // the resource's
  std::string lock_key(std::int64_t key) const { return key_prefix_ + own_key(key); }
  bool stopping() const { return page_.stop.load() != 0; }
  void new_owner();
  void name(Claim& claim) const;
  void round();
  bool acquire(Grant& grant);
  Answer ask(Grant& grant);
  void retire(Grant& grant);
  void refused(const Grant& grant);
  void begin_belief(const Grant& grant);
  void end_belief(const Grant& grant);
  void waits(bool yes);
  void critical_section(Grant& grant);
  void reenter(Grant& grant);
  bool hold(Grant& grant);
  void write(Grant& grant, std::int64_t base);
  void finish(Grant& grant);
  void leave(const Grant& grant, Reason reason);

  // Journals invocation and completion around `work`; turns what it throws into an outcome.
  Answer operation(Op op, const Grant& grant, std::uint64_t number, const std::function<Answer()>& work);
  Event event(EventType type, Op op, const Grant& grant, std::uint64_t number) const;
  void sleep_until(std::int64_t time_ns);
  std::int64_t draw(const Range& range);
  std::int64_t trial_ns() const { return monotonic_ns() - page_.zero_ns; }

  const Plan& plan_;
  const ClientPlan self_;
  const LockType& type_;
  ControlPage& page_;
  ClientSlot& slot_;
  ClientSession& session_;
  ResourceClient& resource_;
  JournalWriter& journal_;
  std::unique_ptr<Lock> lock_;
  std::mt19937_64 random_;
  std::uint32_t process_ = 0;
  Watchdog* watchdog_;                  // of locks that have one
  std::atomic<std::uint64_t>& number_;  // operations so far, the watchdog's too
  std::string owner_;
  std::string key_prefix_;
};

}  // namespace holdfast
