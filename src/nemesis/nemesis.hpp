// The nemesis: carries out the faults of a plan, each on a thread of its own. For every fault: wait for its moment,
// act, prove that it is in force, let the time pass, heal, prove that it is healed. What it did is told as history
// events.
//
//   Nemesis nemesis(world, plan.faults);
//   nemesis.start();          // just before the load begins; arms the points in the clients' work
//   ...                       // the runner makes world.closing() true
//   NemesisReport report = nemesis.finish();
//
// Faults of time 0 are in force before the load begins: a lease that was granted before the clock was moved would
// otherwise be blamed on the algorithm.
//
// A fault whose moment never came, that was not seen in force, or not seen healed, is an error of the report.
#pragma once

#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "nemesis/fault.hpp"
#include "nemesis/fault_watch.hpp"

namespace holdfast {

struct NemesisReport {
  std::vector<Event> events;
  std::vector<std::string> errors;
};

// For the harness's own tests: a nemesis that leaves something out must never lead to a pass.
struct Sabotage {
  bool skip_act = false;
  bool skip_heal = false;
  bool fail_act = false;    // acts, and then fails
  bool undo_early = false;  // heals in secret, shortly after it has acted
};

class Nemesis {
 public:
  Nemesis(World& world, const std::vector<FaultSpec>& specs, Sabotage sabotage);
  ~Nemesis();
  void check_available();  // throws Unavailable: this machine cannot do one of the faults
  void start();
  bool early_acted();                 // the faults of time 0 are in force (or failed): the load may begin
  bool all_healed();                  // every fault has run its course
  std::vector<std::string> errors();  // so far
  NemesisReport finish();             // joins; call it once world.closing() is true

 private:
  void carry_out(std::size_t number);
  void strike_and_heal(std::size_t number, Fault& fault, const Victims& victims);
  void perform(std::size_t number, Fault& fault, const Victims& victims, bool stopped_there);
  std::optional<std::string> strike(std::size_t number, Fault& fault, const Victims& victims, bool stopped_there);
  bool wait_out(std::size_t number, Fault& fault, FaultWatch& watch);
  bool wait_for_end(std::size_t number, FaultWatch& watch);
  bool pass_time(FaultWatch& watch, std::int64_t ms);
  std::int64_t wait_and_heal(std::size_t number, Fault& fault, const Victims& victims, bool in_force);
  void early_done(std::size_t number);
  void claim(const FaultSpec& spec, const Victims& victims);
  void give_back(const FaultSpec& spec, const Victims& victims);
  std::optional<Victims> wait_moment(std::size_t number);
  bool wait_load(std::int64_t ms);
  struct Telling {
    FaultStep step;
    std::int64_t time_ns;
    std::string cause;
    std::string detail;
  };
  void tell(const FaultSpec& spec, const Victims& victims, const Telling& telling);
  void error(const FaultSpec& spec, const std::string& why);

  World& world_;
  const std::vector<FaultSpec>& specs_;
  Sabotage sabotage_;
  std::mutex mutex_;
  NemesisReport report_;
  std::set<std::size_t> early_;  // faults of time 0 that are not yet in force
  std::size_t healed_ = 0;
  std::set<std::pair<std::string, std::uint32_t>> struck_;  // just now, by which fault
  std::vector<std::thread> threads_;
};

}  // namespace holdfast
