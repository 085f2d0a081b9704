// One fault of a plan, from its moment to its healing; how it is watched meanwhile, and what all of a trial note of it.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "nemesis/fault.hpp"

namespace holdfast {

struct NemesisReport {
  std::vector<Event> events;
  std::vector<std::string> errors;
  std::string unavailable;  // why a fault cannot be carried out here, as was found out while it went on; empty: it can
};

// What the faults of a trial have in common, each on a thread of its own: what they tell, what went wrong, whom they
// strike just now.
//
//   NemesisRecord record;
//   record.error("pause", "it was not seen to heal");
//   { const SoleStrike sole(record, "pause", victims); ... }    // no other pause strikes these meanwhile
class NemesisRecord {
 public:
  void tell(Event event);
  void error(const std::string& fault, const std::string& why);
  void unavailable(const std::string& fault, const std::string& why);
  NemesisReport report() const;

  // One of a kind at a time: the second would take the place of the first, and whichever heals first would end both.
  // The end of the first is waited for, for a while: it may just be being proved. HarnessError where it does not come.
  void claim(const std::string& fault, const Victims& victims);
  void give_back(const std::string& fault, const Victims& victims);

 private:
  mutable std::mutex mutex_;
  std::condition_variable given_back_;
  NemesisReport report_;
  std::set<std::pair<std::string, std::uint32_t>> struck_;  // just now, by which fault
};

// Whom a fault strikes is its alone among those of its kind, for as long as this lives.
class SoleStrike {
 public:
  SoleStrike(NemesisRecord& record, const std::string& fault, const Victims& victims)
      : record_(record), fault_(fault), victims_(victims) {
    record_.claim(fault_, victims_);
  }
  SoleStrike(const SoleStrike&) = delete;
  SoleStrike& operator=(const SoleStrike&) = delete;
  ~SoleStrike() { record_.give_back(fault_, victims_); }

 private:
  NemesisRecord& record_;
  const std::string fault_;
  const Victims victims_;
};

// Looks again and again whether a fault is still in force, from when that was proved until it is healed. One that ends
// by itself, or that somebody else ends, must not be told as one that lasted.
//
//   FaultWatch watch(world, fault, victims);
//   while (...) { watch.look(time_left_ms); world.wait_ms(watch.due_ms()); }
//   watch.last_look();
//   if (!watch.broken().empty()) ...    // "it did not last: ..."
//
// A process that is stopped, and that somebody else lets go on for a moment, looks stopped again at the next look. So
// the faults that stop one compare its processor time too (faults/pause.cpp). A fault that did not last is an error.
//
// Looks come every few milliseconds, and more seldom where they take long themselves.
class FaultWatch {
 public:
  FaultWatch(World& world, Fault& fault, const Victims& victims);

  // Looks if it is time to. `left_ms`: until the fault is to be healed; the last thing before that is no slow probe.
  void look(std::int64_t left_ms);
  std::int64_t due_ms() const;                           // until the next look, at least 1
  void last_look();                                      // waits for a clear answer, within bounds
  const std::string& broken() const { return broken_; }  // empty: it was in force at every look

 private:
  void take(bool slowly);

  World& world_;
  Fault& fault_;
  const Victims& victims_;
  std::int64_t began_ns_;
  std::int64_t seen_ns_;  // in force, the last time
  std::int64_t due_ns_;   // the next look
  std::int64_t slow_ns_;  // the next slow one
  bool unclear_ = false;  // what the last one showed
  std::string broken_;
};

// One fault of a plan, from its moment to its healing: waits for the moment, acts, proves that it is in force, lets the
// time pass, heals, proves that it is healed.
//
//   FaultRun run(world, plan.faults[n], n, sabotage, record);    // throws BadInput for a fault that is none
//   run.run_fault([] { ... it is in force, or failed ... });
//
// What it did goes to the record, and every failure too: nothing is thrown but what stops it before it acts.

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
  void nobody_came(std::size_t point, const std::string& otherwise);
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
  InjectionPoints& points_;
  const bool stops_somebody_;  // who comes to its point waits there until it is in force
  std::unique_ptr<Fault> fault_;
  Victims victims_;
  std::string cause_;  // of violations that it explains
};

}  // namespace holdfast
