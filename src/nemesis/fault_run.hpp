// One fault of a plan, from its moment to its healing: waits for the moment, acts, proves that it is in force, lets the
// time pass, heals, proves that it is healed.
//
//   FaultRun run(world, plan.faults[n], n, sabotage, record);    // throws BadInput for a fault that is none
//   run.run_fault([] { ... it is in force, or failed ... });
//
// What it did goes to the record, and every failure too: nothing is thrown but what stops it before it acts.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "nemesis/fault.hpp"
#include "nemesis/fault_watch.hpp"
#include "nemesis/nemesis_record.hpp"

namespace holdfast {

// For the harness's own tests: a nemesis that leaves something out must never lead to a pass.
struct Sabotage {
  bool skip_act = false;
  bool skip_heal = false;
  bool fail_act = false;    // acts, and then fails
  bool undo_early = false;  // heals in secret, shortly after it has acted
};

class FaultRun {
 public:
  FaultRun(WholeWorld& whole, const FaultSpec& spec, std::size_t number, Sabotage sabotage, NemesisRecord& record);

  // `struck`: called once it is in force, or failed to be.
  void run_fault(const std::function<void()>& struck);

 private:
  using Ask = std::function<std::optional<std::string>()>;

  std::optional<Victims> wait_moment();
  bool wait_load(std::int64_t ms);
  void let_go();
  void perform(const std::function<void()>& struck);
  std::optional<std::string> strike();
  std::optional<std::string> prove(std::int64_t patience_ms, const Ask& ask);
  std::int64_t wait_and_heal(bool in_force);
  bool wait_out(FaultWatch& watch);
  bool wait_for_end(FaultWatch& watch);
  bool pass_time(FaultWatch& watch, std::int64_t ms);
  void tell(FaultStep step, std::int64_t time_ns, const std::string& detail);
  void error(const std::string& why) { record_.error(spec_.fault, why); }

  const FaultSpec& spec_;
  const std::size_t number_;
  const Sabotage sabotage_;
  NemesisRecord& record_;
  const FaultType& type_;
  WholeWorld& whole_;
  World world_;  // what of it the fault gets
  TrialTime& time_;
  Moments& moments_;
  const bool stops_somebody_;  // who comes to its point waits there until it is in force
  std::unique_ptr<Fault> fault_;
  Victims victims_;
  std::string cause_;  // of violations that it explains
};

}  // namespace holdfast
