// The nemesis: carries out the faults of a plan, each in its own thread (fault_run.hpp), and records its actions as
// history events.
//
//   Nemesis nemesis(world, plan.faults, {});
//   nemesis.start();          // just before the load begins; arms the points in the clients' work
//   ...                       // the runner makes world.time().closing() true
//   NemesisReport report = nemesis.finish();
//
// Faults at time 0 are in force before the load begins: otherwise a lease granted before a clock change would be blamed
// on the algorithm.
//
// A fault whose point was never reached, or that was not seen in force or not seen healed, is an error in the report.
#pragma once

#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "nemesis/fault.hpp"
#include "nemesis/fault_run.hpp"

namespace holdfast {

class Nemesis {
 public:
  Nemesis(WholeWorld& world, const std::vector<FaultSpec>& specs, Sabotage sabotage);
  ~Nemesis();
  void check_available();  // throws Unavailable if this machine cannot do one of the faults
  void start();
  bool early_acted();                 // the faults at time 0 are in force (or failed): the load may begin
  bool all_healed();                  // every fault has ended
  std::vector<std::string> errors();  // so far
  NemesisReport finish();             // joins; call it once the trial is closing

 private:
  void run_fault(std::size_t number);
  void early_done(std::size_t number);

  WholeWorld& world_;
  const std::vector<FaultSpec>& specs_;
  Sabotage sabotage_;
  NemesisRecord record_;
  std::mutex mutex_;
  std::set<std::size_t> early_;  // faults at time 0 that are not yet in force
  std::size_t healed_ = 0;
  std::vector<std::thread> threads_;
};

// The clients, or servers, named by the fault's target at its time. `arrived`: the client stopped at the fault's point.
// Empty: no such client at present (for example no holder). Throws BadInput for an impossible target.
Victims pick_victims(const Candidates& all, const FaultSpec& spec, std::optional<std::uint32_t> arrived);

}  // namespace holdfast
