// The stage of one thread of a client process: real time, the protected resource, a journal, and the control page on
// which the runner sees what the thread is about. Every operation is journalled with its invocation and completion.
//
// A client of several threads has one lock, as a program has that uses a lock library; each thread has a session, a
// driver and a process identity of its own. Whoever does not get all the keys of a job within half a lease lets go and
// begins again.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "artifact/plan.hpp"
#include "artifact/units.hpp"
#include "client/claim_names.hpp"
#include "client/client_session.hpp"
#include "client/watchdog.hpp"
#include "driver/load_loop.hpp"
#include "history/journal.hpp"
#include "lock/lock.hpp"

namespace holdfast {

// What the threads of one client share.
struct ClientShared {
  const Plan& plan;
  const LockType& type;
  ControlPage& page;
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
  Driver& driver;
};

class ClientStage : public LoadStage {
 public:
  ClientStage(ClientShared& shared, const Member& self);

  std::vector<std::string> lock_keys() const;  // that it uses, as the lock knows them; NULL is left out
  void wait_for_start();                       // clients do not begin all at once

  bool begin_round() override {
    shortest_lease_ms_ = lease_ms_;
    return goes_on();
  }
  bool goes_on() const override { return page_.stop.load() == 0 && !shared_.failed.load(); }
  std::vector<std::uint32_t> draw_keys() override;
  void new_owner() override { names_.new_owner(); }
  Claim claim(std::uint32_t key) override;
  bool tries(int attempt, const std::vector<Grant>& held) override;
  Answer operation(Op op, Depth depth, Grant& grant, const std::function<Answer()>& work) override;
  void wait_to_retry() override { sleep_until(trial_ns() + load_.poll_ms * kMillisecond_ns); }
  void retire() override;
  void refused(const Grant& grant) override;
  void gave_up() override { waits(false); }
  void granted(Grant& grant) override;
  void begin_job(Grant& grant) override;
  void begin_hold() override;
  bool next_renewal(const AskLost& lost) override;
  bool look(const Grant&, const std::function<bool()>& still_held) override { return still_held(); }
  void end_job(Grant& grant, const std::function<void()>& runs) override;
  bool next_tick(const std::function<bool()>& lost) override;
  void before_release(Grant& grant) override;
  void leave(const Grant& grant, Reason reason) override;
  void let_go(const Grant& grant) override;
  void end_round(const std::vector<Grant>& held) override;

 private:
  static std::string own_key(std::uint32_t key) { return "k" + std::to_string(key); }  // the resource's
  Key lock_key(std::uint32_t key) const;
  Answer shown_as_waiter(const std::function<Answer()>& work);
  Answer journalled(Op op, const Grant& grant, std::uint64_t number, const std::function<Answer()>& work);
  Event event(EventType type, Op op, const Grant& grant, std::uint64_t number) const;
  void about(const Grant& grant);
  void end_belief(const Grant& grant);
  void waits(bool yes);
  std::int64_t delay_ms() const { return ticks() ? load_.tick_ms : load_.poll_ms; }  // after a refusal
  bool ticks() const { return load_.tick_ms > 0; }
  void wait_for_tick(const std::function<bool()>& woken = nullptr) {
    sleep_until(trial_ns() + load_.tick_ms * kMillisecond_ns, woken);
  }
  void sleep_until(std::int64_t time_ns, const std::function<bool()>& woken = nullptr);
  void stand_if_blocked();
  std::int64_t draw(const Range& range);
  std::int64_t trial_ns() const { return monotonic_ns() - page_.zero_ns; }

  ClientShared& shared_;
  const Member self_;
  const Load& load_;
  const LockType& type_;
  ControlPage& page_;
  ClientSlot& slot_;
  ClientSession& session_;
  JournalWriter& journal_;
  Watchdog* watchdog_;
  const std::int64_t lease_ms_;            // that is asked for
  const std::int64_t look_ns_;             // between two looks whether what is held is said to be lost
  const std::vector<std::uint32_t> keys_;  // that it uses
  std::mt19937_64 random_;
  ClaimNames names_;
  std::vector<std::uint32_t> believed_;     // keys that it believes to hold
  std::int64_t shortest_lease_ms_ = 0;      // of this round's, as the lock said: renewals are in time for it
  std::int64_t hold_end_ns_ = 0;            // of the job that it is about
  std::optional<std::int64_t> resigns_ns_;  // of who leads; nothing: it stays
  std::optional<std::int64_t> renewal_ns_;  // when the next one is due; nothing: counted from now
};

}  // namespace holdfast
