// The load: acquire, work, renew, release or leave, pause; round after round. The same loop for every driver, in a
// client process and in the explorer.
//
// An acquire without a sure answer ends the client's identity, because nobody knows whether that owner holds the lock.
// A job may need several keys: they are acquired one after the other. Where processes tick (a leader's lock) each asks
// at a fixed delay, to become the leader or to stay it; who leads does its job in each tick that said so, and never
// leaves by itself.
#pragma once

#include <vector>

#include "driver/driver.hpp"
#include "driver/load_stage.hpp"

namespace holdfast {

struct LoadRules {
  bool releases = true;  // else a holder leaves
  bool ticks = false;
  bool reenter = false;    // the job acquires and releases once more what it holds
  bool retries = false;    // an acquire goes on until it has a sure answer
  bool cleans_up = false;  // after an acquire without a sure answer its owner releases
};

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
  Answer ask(Claim& claim);
  void retire(Grant& grant);
  void work(std::vector<Grant>& held);
  void lead(std::vector<Grant>& held);
  void reenter(Grant& grant);
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
