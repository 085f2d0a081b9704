// One fault of a plan, from its injection point to its healing, its supervision, and the record shared by a trial's
// faults.
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
  std::string unavailable;  // reason, found during the run, why the fault cannot be carried out here; empty: it can
};

// Shared by a trial's faults, each in its own thread: their events, errors and current victims.
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

  // Allows one fault of a kind per victim: a second would replace the first, and the first to heal would end both.
  // Waits for a while for the first to end, since it may just be being proved; then throws HarnessError.
  void claim(const std::string& fault, const Victims& victims);
  void give_back(const std::string& fault, const Victims& victims);

 private:
  mutable std::mutex mutex_;
  std::condition_variable given_back_;
  NemesisReport report_;
  std::set<std::pair<std::string, std::uint32_t>> struck_;  // current victims, with the fault
};

// Reserves victims for one fault among those of its kind, for the object's lifetime.
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

// Checks repeatedly that a fault is still in force, from its proof until its healing. A fault that ends by itself, or
// is ended by another process, must not be reported as lasting.
//
//   FaultWatch watch(world, fault, victims);
//   while (...) { watch.look(time_left_ms); world.wait_ms(watch.due_ms()); }
//   watch.last_look();
//   if (!watch.broken().empty()) ...    // "it did not last: ..."
//
// A stopped process that another process continues briefly looks stopped again at the next look. So faults that stop
// processes also compare processor time (faults/pause.cpp). A fault that did not last is an error.
//
// Looks are every few milliseconds, and less frequent if they are slow.
class FaultWatch {
 public:
  FaultWatch(World& world, Fault& fault, const Victims& victims);

  // Looks if it is due. `left_ms`: time until healing; a slow probe is not started at the end.
  void look(std::int64_t left_ms);
  std::int64_t due_ms() const;                           // until the next look, at least 1
  void last_look();                                      // waits for a clear result, within bounds
  const std::string& broken() const { return broken_; }  // empty: it was in force at every look

 private:
  void take(bool slowly);

  World& world_;
  Fault& fault_;
  const Victims& victims_;
  std::int64_t began_ns_;
  std::int64_t seen_ns_;  // when it was last seen in force
  std::int64_t due_ns_;   // time of the next look
  std::int64_t slow_ns_;  // time of the next slow one
  bool unclear_ = false;  // result of the last look
  std::string broken_;
};

// One fault of a plan, from its injection point to its healing: waits for the point, acts, proves that it is in force,
// waits, heals, proves that it is healed.
//
//   FaultRun run(world, plan.faults[n], n, sabotage, record);    // throws BadInput for an invalid fault
//   run.run_fault([] { ... it is in force, or failed ... });
//
// Its events and failures go to the record; it throws only what prevents it from acting.

// For the harness's own tests: a nemesis that skips something must never lead to a pass.
struct Sabotage {
  bool skip_act = false;
  bool skip_heal = false;
  bool fail_act = false;    // acts, and then fails
  bool undo_early = false;  // heals unrecorded, shortly after it has acted
};

class FaultRun {
 public:
  FaultRun(WholeWorld& whole, const FaultSpec& spec, std::size_t number, Sabotage sabotage, NemesisRecord& record);

  // `struck`: called once it is in force, or has failed.
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
  World world_;  // with the fault's capabilities only
  TrialTime& time_;
  InjectionPoints& points_;
  const bool stops_somebody_;  // a client at its point waits until it is in force
  std::unique_ptr<Fault> fault_;
  Victims victims_;
  std::string cause_;  // of violations that it explains
};

}  // namespace holdfast
