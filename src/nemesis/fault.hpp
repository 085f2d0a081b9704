// A fault: one thing that the nemesis can do to the world, prove, and heal. Read this first; one file each in faults/.
//
//   class Stop : public Fault {
//     void act(World& world, const Victims& v) override {
//       for (auto client : v) world.use<ClientProcesses>().signal(client, SIGSTOP);
//     }
//     std::optional<std::string> acted(World& world, const Victims& v) override { ... "stopped" when they really are }
//     void heal(World& world, const Victims& v) override { ... SIGCONT }
//     std::optional<std::string> healed(World& world, const Victims& v) override { ... }
//   };
//   const FaultType fault_stop{.about = "...", .cause = "", .needs = {Capability::client_processes}, .make = ...};
//
// A fault proves itself on the world, never on the lock: the nemesis asks `acted` until it has an answer, and a fault
// that never has one makes the trial a harness error. Faults know nothing of how the runner keeps processes and clocks;
// they see a World, and of it what they name in `needs` (capability.hpp).
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

inline constexpr std::int64_t kProof_ms = 3000;    // how long most faults may take until they are seen in force
inline constexpr std::int64_t kLookEvery_ms = 5;   // where a look costs next to nothing
inline constexpr std::int64_t kAskEvery_ms = 100;  // where a server is asked, or a program run

// What a look at a fault shows that was proved to be in force. `unclear`: nothing could be seen just now.
enum class Look : std::uint8_t { in_force, over, unclear };

class Fault {
 public:
  virtual ~Fault() = default;
  virtual void act(World&, const Victims&) = 0;
  // What was measured, for people, once the fault is seen to be in force; nothing while it is not (yet).
  virtual std::optional<std::string> acted(World&, const Victims&) = 0;
  // Whether it is still in force: asked from when it acted until it is healed, so that one that does not last is found
  // out. `slowly`: a probe may be sent that waits for an answer; that is asked about once a second.
  virtual Look look(World& world, const Victims& victims, bool /*slowly*/) {
    return acted(world, victims) ? Look::in_force : Look::over;
  }
  virtual std::int64_t look_every_ms() const { return kLookEvery_ms; }
  virtual void heal(World&, const Victims&) = 0;
  virtual std::optional<std::string> healed(World&, const Victims&) = 0;
  // Why this machine cannot do it, though it has the capabilities; asked in the lab before the load. Empty: it can.
  virtual std::string unavailable(World&) { return ""; }
  // False: a moment, not a time; there is nothing to wait for and nothing to heal.
  virtual bool lasts() const { return true; }
  // At once, or when its own work is done, whatever the plan says of its end.
  virtual bool ends_itself() const { return !lasts(); }
  // What it does while it is in force, if that takes the time that it takes; false: it lasts for as long as the plan
  // says. Throws what makes the trial an error of the harness.
  virtual bool carry_on(World&) { return false; }
  // How a client that was stopped at the fault's point goes on.
  virtual PointAction point_action() const { return PointAction::go_on; }
  // What is done to a client that comes to the fault's point, and is done by itself, is seen only once it goes on.
  virtual bool seen_after_release() const { return point_action() != PointAction::go_on; }
  // How long it may take until it is seen in force.
  virtual std::int64_t patience_ms() const { return kProof_ms; }
  // Asked where it was not seen: whether what it does waited for something of the lock's that did not come, and will
  // not be done any more.
  virtual bool gives_up(World&, const Victims&) { return false; }
  // How long it may take until it is seen healed.
  virtual std::int64_t recovery_ms() const { return kProof_ms; }
  // True: the fault ends when it is seen healed, because its victims are struck while it heals. False: it ends as soon
  // as it is healed, and the proof comes later.
  virtual bool lasts_until_healed() const { return false; }
  // The kind that a violation gets when this fault explains it, where the type's does not say it all.
  virtual std::string cause(World&, const std::string& of_type) { return of_type; }
};

struct FaultType {
  const char* about = "";  // one line, for people
  const char* cause = "";  // the kind that a violation gets when this fault explains it; empty: it excuses nothing
  // Its own settings as JSON Schema, {"properties": {...}, "required": [...]}, for editors; `make` reads the same.
  const char* settings = R"({"properties": {}, "required": []})";
  // A small case of it, as an entry of a scenario's `faults` without its name: `holdfast doctor` tries each fault so.
  const char* example = R"({"at": {"phase": "granted"}, "for_ms": 300})";
  bool stops = false;  // whom it strikes does nothing while it is in force, and can be told nothing
  // What of the world it uses, whoever else must know: it gets this and nothing else.
  std::vector<Capability> needs{};
  // Reads the fault's own settings (and only those); throws BadInput. The keys that all faults have are read already.
  std::unique_ptr<Fault> (*make)(ObjectReader& settings) = nullptr;

  bool uses(Capability capability) const;
  bool needs_any(bool CapabilityFacts::*fact) const;  // whether that is true of something that it needs
  bool strikes_servers() const;                       // else clients
};

const std::vector<Entry<FaultType>>& faults();

// Throws BadInput for a name that is none, as make_fault does.
const FaultType& fault_type(const FaultSpec& spec);
inline bool strikes_servers(const FaultSpec& spec) {
  return fault_type(spec).strikes_servers();
}

// Targets of a fault of servers that elect a leader: whoever it is when the fault strikes, or one of the others.
inline constexpr const char* kLeader = "leader";
inline constexpr const char* kFollower = "follower";
inline bool is_elected(const std::string& target) {
  return target == kLeader || target == kFollower;
}

// Whether a fault is aimed at an acquire that is granted. One that strikes when the server has executed a request of an
// attempt is, and one that strikes before it only where nobody is to hold the key: whether a late request is granted
// depends on when it comes. One that is meant for attempts that others keep out is not. A statement of any operation
// counts: the history shows whether it was an acquire's.
FaultAim aim_of(const FaultSpec& spec);

// The numbers in "server" (0), "server:N" or "server:N,M"; none: it is no such target. A fault of servers needs no
// target.
std::vector<std::uint32_t> servers_of(const FaultSpec& spec);

// The fault as its example has it.
std::unique_ptr<Fault> example_of(const FaultType& type);

// Looks the fault up and reads its settings; unknown faults and keys are BadInput with file:line and "did you mean".
std::unique_ptr<Fault> make_fault(const FaultSpec& spec);

}  // namespace holdfast
