// The load loop, the same for every driver, and the stage interface around it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "driver/driver.hpp"
#include "history/event.hpp"

namespace holdfast {

// Environment of the load loop: time, names, the protected resource and the recording of events. A client process has
// one implementation (client/client_stage.hpp), a simulated client of the explorer another
// (explore/client_program.hpp).
//
// The loop calls, in this order (calls in brackets repeat as needed):
//
//   begin_round, [new_owner, tries, claim, operation(acquire), granted | retire, refused], [begin_job], begin_hold,
//   [next_renewal, operation(renew)], [look], [end_job], [before_release, operation(release) | leave], [let_go],
//   end_round

struct Grant {
  Claim claim;
  std::uint32_t key = 0;             // index of the key
  std::uint64_t number = 0;          // number of the acquire
  std::uint32_t process = 0;         // identity that acquired; the client may have another by now
  std::int64_t granted_ns = 0;       // on the stage's clock
  std::optional<std::int64_t> base;  // value the job read from the resource
  bool mine = true;                  // false: the client knows that it lost the grant
};

// `inner`: the second acquire and release by a client that already holds the lock.
enum class Depth : std::uint8_t { outer, inner };

// Returns true if a held lock is reported lost; `free_ms` as in Driver::said_lost.
using AskLost = std::function<bool(std::int64_t free_ms)>;

class LoadStage {
 public:
  virtual ~LoadStage() = default;
  virtual bool begin_round() = 0;                      // false: the client ends
  virtual bool goes_on() const = 0;                    // false: release everything and end
  virtual std::vector<std::uint32_t> draw_keys() = 0;  // of the next job, in acquiring order
  virtual void new_owner() = 0;                        // for the next acquire
  virtual Claim claim(std::uint32_t key) = 0;
  // Waits for the next attempt (the first is 0) and returns true if there is one, given the grants already held.
  virtual bool tries(int attempt, const std::vector<Grant>& held) = 0;
  // Performs `work` as a recorded operation.
  virtual Answer operation(Op op, Depth depth, Grant& grant, const std::function<Answer()>& work) = 0;
  virtual void wait_to_retry() = 0;  // during an acquire that repeats until it has a sure answer
  virtual void retire() = 0;         // drops an identity that may hold the lock, and takes another
  virtual void refused(const Grant& grant) = 0;
  virtual void gave_up() = 0;  // no further attempt at this key
  virtual void granted(Grant& grant) = 0;
  virtual void begin_job(Grant& grant) = 0;
  virtual void begin_hold() = 0;
  // Works until a renewal is due (true) or the job is done (false). May return early once `lost` returns true.
  virtual bool next_renewal(const AskLost& lost) = 0;
  virtual bool look(const Grant& grant, const std::function<bool()>& still_held) = 0;
  // Writes the job's result; `runs` returns when the lock's program is seen to run.
  virtual void end_job(Grant& grant, const std::function<void()>& runs) = 0;
  // Waits for the next tick, or until `lost` returns true. Returns false when the client ends leadership: at the
  // trial's end or after its time as leader.
  virtual bool next_tick(const std::function<bool()>& lost) = 0;
  virtual void before_release(Grant& grant) = 0;
  virtual void leave(const Grant& grant, Reason reason) = 0;   // ends the belief without a release
  virtual void let_go(const Grant& grant) = 0;                 // in all cases, at the end
  virtual void end_round(const std::vector<Grant>& held) = 0;  // with the grants that were held
};

struct LoadRules {
  bool releases = true;  // false: a holder leaves without releasing
  bool ticks = false;
  bool asks_in_ticks = true;  // false: a leader stays leader until notified
  bool scheduled = false;     // the lock begins jobs by itself; each is a grant
  bool reenter = false;       // the job acquires and releases the held lock again
  bool retries = false;       // an acquire repeats until it has a sure answer
  bool cleans_up = false;     // releases after an acquire without a sure answer
};

// The load: acquire, work, renew, release or leave, pause, in rounds. Client processes and the explorer run the same
// loop for every driver.
//
// After an acquire without a sure answer the client takes a new identity, because the old owner may or may not hold the
// lock. A grant that arrives after its caller gave up counts from when it is read, and is released immediately. A job
// may need several keys, which are acquired one after the other. For leader locks with ticks, each process asks at a
// fixed delay to become or remain leader; the leader works in each tick that was answered with yes, and resigns only
// when its stage says so. A leader that is called back sends no requests while it leads.
//
// For a scheduler's lock the loop sends no requests: it waits for a job that the lock begins, which counts as a grant.
// A lost job ends without a release.
class LoadLoop {
 public:
  LoadLoop(const LoadRules& rules, Driver& driver, LoadStage& stage) : rules_(rules), driver_(driver), stage_(stage) {}

  void run();
  // Acquires all keys of the next job. Returns false if `held` is incomplete.
  bool gather(std::vector<Grant>& held);

 private:
  void round();
  bool take(Grant& grant, const std::vector<Grant>& held);
  bool acquire(Grant& grant);
  Answer wait_for_job(Claim& claim);
  Answer ask(Claim& claim);
  void retire(Grant& grant);
  void work(std::vector<Grant>& held);
  void lead(std::vector<Grant>& held);
  void reenter(Grant& grant);
  bool lost(const std::vector<Grant>& held, std::int64_t free_ms);
  bool leads_on(Grant& grant);
  bool hold(std::vector<Grant>& held);
  bool look(Grant& grant);
  Answer renew(Grant& grant);
  Answer release(Grant& grant, Depth depth);
  void let_go(std::vector<Grant>& held);

  const LoadRules rules_;
  Driver& driver_;
  LoadStage& stage_;
};

}  // namespace holdfast
