// The stage of one client thread: real time, the protected resource, a journal, and the control page, which shows the
// thread's state to the runner. Every operation is recorded with its invocation and completion.
//
// A client with several threads has one lock, as a program has one lock library. Each thread has its own session,
// driver and process identity. A thread that does not get all keys of a job within half a lease releases them and
// starts again.
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

// State shared by the threads of one client.
struct ClientShared {
  const Plan& plan;
  const LockType& type;
  ControlPage& page;
  std::string key_prefix;                    // the lock's prefix on a server shared with others
  std::atomic<std::uint64_t> numbers{0};     // operations so far, including the watchdogs'
  std::atomic<std::uint32_t> identities{0};  // process identities so far
  std::atomic<bool> failed{false};           // one thread failed: all end
};

// State of a single thread.
struct Member {
  std::uint32_t client = 0;
  std::uint32_t thread = 0;
  std::uint64_t seed = 0;  // for its random choices
  ClientSession& session;
  ResourceClient& resource;
  JournalWriter& journal;
  Watchdog* watchdog;  // only of locks that have one
  Driver& driver;
};

class ClientStage : public LoadStage {
 public:
  ClientStage(ClientShared& shared, const Member& self);

  std::vector<std::string> lock_keys() const;  // the keys used, in the lock's form; NULL is left out
  void wait_for_start();                       // staggers the start of clients

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
  std::int64_t delay_ms() const { return ticks() ? load_.tick_ms : load_.poll_ms; }  // pause after a refusal
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
  const bool shares_;                      // its acquires are shared
  const std::int64_t look_ns_;             // between two looks whether what is held is said to be lost
  const std::vector<std::uint32_t> keys_;  // that it uses
  std::mt19937_64 random_;
  ClaimNames names_;
  std::vector<std::uint32_t> believed_;     // keys that it believes it holds
  std::int64_t shortest_lease_ms_ = 0;      // shortest lease granted in this round; renewals are in time for it
  std::int64_t hold_end_ns_ = 0;            // end of the current job's work
  std::optional<std::int64_t> resigns_ns_;  // when the leader resigns; empty: it stays
  std::optional<std::int64_t> renewal_ns_;  // when the next renewal is due; empty: counted from now
};

}  // namespace holdfast
