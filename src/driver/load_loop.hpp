// The load, the same for every driver, and the stage that surrounds it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "driver/driver.hpp"
#include "history/event.hpp"

namespace holdfast {

// What surrounds the load loop: time, names, the protected resource, and whoever is told what happens. A client
// process has one (client/client_stage.hpp), a simulated client of the explorer another (explore/client_program.hpp).
//
// The loop calls in this order; in brackets: as often as it takes.
//
//   begin_round, [new_owner, tries, claim, operation(acquire), granted | retire, refused], [begin_job], begin_hold,
//   [next_renewal, operation(renew)], [look], [end_job], [before_release, operation(release) | leave], [let_go],
//   end_round

struct Grant {
  Claim claim;
  std::uint32_t key = 0;             // its number
  std::uint64_t number = 0;          // of the acquire
  std::uint32_t process = 0;         // the identity that asked: the client may have another by now
  std::int64_t granted_ns = 0;       // on the stage's clock
  std::optional<std::int64_t> base;  // what the job read of the resource
  bool mine = true;                  // as far as the client knows
};

// Part of the job of a client that holds the lock already, which acquires and releases it once more.
enum class Depth : std::uint8_t { outer, inner };

// Whether something that is held is said to be lost; `free_ms` as in Driver::said_lost.
using AskLost = std::function<bool(std::int64_t free_ms)>;

class LoadStage {
 public:
  virtual ~LoadStage() = default;
  virtual bool begin_round() = 0;                      // false: the client ends
  virtual bool goes_on() const = 0;                    // false: it lets go of what it holds, and ends
  virtual std::vector<std::uint32_t> draw_keys() = 0;  // of the next job, in the order in which they are acquired
  virtual void new_owner() = 0;                        // of what is acquired next
  virtual Claim claim(std::uint32_t key) = 0;
  // Whether there is another attempt, the first is 0, beside what is held already; waits until its time has come.
  virtual bool tries(int attempt, const std::vector<Grant>& held) = 0;
  // Performs `work` as an operation that others are told of.
  virtual Answer operation(Op op, Depth depth, Grant& grant, const std::function<Answer()>& work) = 0;
  virtual void wait_to_retry() = 0;  // within an acquire that goes on until it has a sure answer
  virtual void retire() = 0;         // nobody knows whether its identity holds the lock: it takes another one
  virtual void refused(const Grant& grant) = 0;
  virtual void gave_up() = 0;  // no further attempt at this key
  virtual void granted(Grant& grant) = 0;
  virtual void begin_job(Grant& grant) = 0;
  virtual void begin_hold() = 0;
  // Works until a renewal is due (true) or the job is done (false). Where `lost` becomes true it need not wait.
  virtual bool next_renewal(const AskLost& lost) = 0;
  virtual bool look(const Grant& grant, const std::function<bool()>& still_held) = 0;
  // Writes what the job came to; `runs` returns when the lock's program is seen to run.
  virtual void end_job(Grant& grant, const std::function<void()>& runs) = 0;
  // Of a process that ticks: waits for it, or until `lost` becomes true. False: it leads no longer, because the client
  // ends or has led for as long as it was to.
  virtual bool next_tick(const std::function<bool()>& lost) = 0;
  virtual void before_release(Grant& grant) = 0;
  virtual void leave(const Grant& grant, Reason reason) = 0;   // without a release
  virtual void let_go(const Grant& grant) = 0;                 // in any case, at last
  virtual void end_round(const std::vector<Grant>& held) = 0;  // what was held
};

struct LoadRules {
  bool releases = true;  // else a holder leaves
  bool ticks = false;
  bool asks_in_ticks = true;  // else who leads is one until it is told that it is not
  bool scheduled = false;     // nobody asks: the lock begins jobs by itself, each as a grant
  bool reenter = false;       // the job acquires and releases once more what it holds
  bool retries = false;       // an acquire goes on until it has a sure answer
  bool cleans_up = false;     // after an acquire without a sure answer its owner releases
};

// The load: acquire, work, renew, release or leave, pause; round after round. The same loop for every driver, in a
// client process and in the explorer.
//
// An acquire without a sure answer ends the client's identity, because nobody knows whether that owner holds the lock.
// A grant that comes when nobody waits for it any more counts from when it is read, and is released at once.
// A job may need several keys: they are acquired one after the other. Where processes tick (a leader's lock) each asks
// at a fixed delay, to become the leader or to stay it; who leads does its job in each tick that said so, and leaves
// only where its stage says so. A leader of the other kind, called back, asks nothing while it leads.
//
// Of a scheduler nobody asks for anything: the loop waits until it has begun a job, which is a grant as any other. What
// it lost, it ends by itself, and nobody releases.
class LoadLoop {
 public:
  LoadLoop(const LoadRules& rules, Driver& driver, LoadStage& stage) : rules_(rules), driver_(driver), stage_(stage) {}

  void run();
  // Acquires what the next job needs. False: `held` is not all of it.
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
