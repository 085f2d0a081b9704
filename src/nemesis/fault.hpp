// A fault: one action that the nemesis can perform, prove and heal. Start reading here; faults/ has one file per fault.
//
//   class Freeze : public Fault {
//     void act(World& world, const Victims& v) override {
//       for (auto client : v) world.use<ClientProcesses>().signal(client, SIGSTOP);
//     }
//     std::optional<std::string> acted(World& world, const Victims& v) override { ... "stopped" once they are stopped }
//     void heal(World& world, const Victims& v) override { ... SIGCONT }
//     std::optional<std::string> healed(World& world, const Victims& v) override { ... }
//   };
//   const FaultType fault_freeze{.about = "...", .cause = "", .needs = {Capability::client_processes}, .make = ...};
//
// A fault is proved by observing its environment, never the lock: the nemesis polls `acted` until it returns a text
// (the measurement, shown in reports). Without one in time, the trial is a harness error.
//
// Faults do not depend on the runner's internals; they use a World that has only the capabilities in `needs`
// (capability.hpp). Durations are milliseconds unless named _ns. Functions throw HarnessError if the environment fails.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "artifact/entry.hpp"
#include "artifact/scenario.hpp"
#include "history/event.hpp"
#include "nemesis/capability.hpp"
#include "nemesis/world.hpp"

namespace holdfast {

inline constexpr std::int64_t kProof_ms = 3000;    // default limit for a fault to be seen in force
inline constexpr std::int64_t kLookEvery_ms = 5;   // poll interval of a cheap check
inline constexpr std::int64_t kAskEvery_ms = 100;  // poll interval of a check that asks a server or runs a program

// Result of a check of a fault that was proved to be in force. `unclear`: unknown at the moment.
enum class Look : std::uint8_t { in_force, over, unclear };

class Fault {
 public:
  virtual ~Fault() = default;
  virtual void act(World&, const Victims&) = 0;
  // Returns the measurement as text once the fault is in force; empty: not (yet).
  virtual std::optional<std::string> acted(World&, const Victims&) = 0;
  // Checks that the fault is still in force: called repeatedly from the proof until healing, to detect a fault that
  // ends early. `slowly`: the check may send a probe that waits for an answer; about once a second.
  virtual Look look(World& world, const Victims& victims, bool /*slowly*/) {
    return acted(world, victims) ? Look::in_force : Look::over;
  }
  virtual std::int64_t look_every_ms() const { return kLookEvery_ms; }
  virtual void heal(World&, const Victims&) = 0;
  // Returns the measurement as text once the fault has ended; empty: not (yet).
  virtual std::optional<std::string> healed(World&, const Victims&) = 0;
  // Reason why this machine cannot inject the fault although it has the capabilities; checked in the lab before the
  // load. Empty: it can.
  virtual std::string unavailable(World&) { return ""; }
  // False: the fault is a single event without duration; nothing is waited for or healed.
  virtual bool lasts() const { return true; }
  // True: ends immediately, or when its own work is done, regardless of the plan's end.
  virtual bool ends_itself() const { return !lasts(); }
  // For a fault whose own work determines its duration: does this work while the fault is in force, and returns true.
  // False: the plan determines the duration. Exceptions make the trial a harness error.
  virtual bool carry_on(World&) { return false; }
  // Action for a client that stopped at the fault's injection point.
  virtual PointAction point_action() const { return PointAction::go_on; }
  // True: the effect is visible only after the client continues, because the client (or the relay) performs it.
  virtual bool seen_after_release() const { return point_action() != PointAction::go_on; }
  // Limit for the proof that it is in force.
  virtual std::int64_t patience_ms() const { return kProof_ms; }
  // Called if the fault was not proved in time. Returns true if its action still waited, for example for a reply from
  // the lock's server; cancels the action then.
  virtual bool gives_up(World&, const Victims&) { return false; }
  // Limit for the proof that it has ended.
  virtual std::int64_t recovery_ms() const { return kProof_ms; }
  // True: the fault ends with the proof that it has healed, because it affects its victims while it heals. False: it
  // ends with the healing action, before the proof.
  virtual bool lasts_until_healed() const { return false; }
  // Kind of a violation that this fault explains, if the type's `cause` is not sufficient.
  virtual std::string cause(World&, const std::string& of_type) { return of_type; }
};

struct FaultType {
  const char* about = "";  // one line, for people
  const char* cause = "";  // kind of a violation that this fault explains; empty: it excuses nothing
  // Its own settings as JSON Schema, {"properties": {...}, "required": [...]}, for editors; `make` reads the same keys.
  const char* settings = R"({"properties": {}, "required": []})";
  // A small case, as an entry of a scenario's `faults` without its name: `holdfast doctor` uses it to try the fault.
  const char* example = R"({"at": {"phase": "granted"}, "for_ms": 300})";
  bool stops = false;  // its victims do nothing and receive nothing while it is in force
  // Capabilities that it uses; it gets only these.
  std::vector<Capability> needs{};
  // Reads only the fault's own settings; throws BadInput. Common keys have been read before.
  std::unique_ptr<Fault> (*make)(ObjectReader& settings) = nullptr;

  bool uses(Capability capability) const;
  bool needs_any(bool CapabilityFacts::*fact) const;  // true if one of its needs has this property
  bool strikes_servers() const;                       // false: strikes clients
};

const std::vector<Entry<FaultType>>& faults();

// Throws BadInput for an unknown name, as make_fault does.
const FaultType& fault_type(const FaultSpec& spec);
inline bool strikes_servers(const FaultSpec& spec) {
  return fault_type(spec).strikes_servers();
}

// Targets of faults of servers that elect a leader: the leader at the time of the fault, or one of the others.
inline constexpr const char* kLeader = "leader";
inline constexpr const char* kFollower = "follower";
inline bool is_elected(const std::string& target) {
  return target == kLeader || target == kFollower;
}

// Returns a fault's aim at granted acquires. `reply`: it strikes after the server has executed a request of an attempt.
// `request`: it strikes before that, at a key that must be free; without this condition, the arrival of a late request
// decides whether it is granted. `none`: all others, such as faults for attempts that are refused. A fault at a
// statement of any operation counts as well: the history shows whether the statement belonged to an acquire.
FaultAim aim_of(const FaultSpec& spec);

// Parses the numbers in "server" (0), "server:N" or "server:N,M"; empty: another kind of target. Faults of servers need
// no target.
std::vector<std::uint32_t> servers_of(const FaultSpec& spec);

// Makes the fault of the type's example.
std::unique_ptr<Fault> example_of(const FaultType& type);

// Looks the fault up and reads its settings; throws BadInput with file:line and "did you mean" for unknown faults and
// keys.
std::unique_ptr<Fault> make_fault(const FaultSpec& spec);

}  // namespace holdfast
