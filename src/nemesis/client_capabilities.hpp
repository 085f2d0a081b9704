// What of a client can be struck: a capability each, which a fault gets if it names it (capability.hpp).
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "lab/dropping_rules.hpp"
#include "nemesis/capability.hpp"
#include "nemesis/world.hpp"

namespace holdfast {

// They drop nothing. 192.0.2.1 is nobody's: an address for documentation (RFC 5737).
inline DroppingRules harmless_rules() {
  DroppingRules rules;
  rules.drop_from("192.0.2.1");
  return rules;
}

// What a process is doing, as far as faults care.
enum class ProcessState : std::uint8_t { running, stopped, gone };

// `kernel`: as in /proc/PID/stat, or 'X' for a process that is not there. A zombie does nothing any more.
constexpr ProcessState process_state(char kernel) {
  if (kernel == 'X' || kernel == 'Z') return ProcessState::gone;
  return kernel == 'T' ? ProcessState::stopped : ProcessState::running;
}

// The wall clock of a client: that which its session gives to its lock, and that of a lock which is a program of its
// own.
class ClientClocks : public CapabilityOf<Capability::client_clocks> {
 public:
  virtual void set_offset(std::uint32_t client, std::int64_t ns) = 0;
  // What the client last read; nothing: it has not read its clock since that was set, or tells something else.
  virtual std::optional<std::int64_t> offset_seen_ns(std::uint32_t client) const = 0;
};

// The network of a client's node: packets that are late.
class ClientDelay : public CapabilityOf<Capability::client_delay> {
 public:
  // Delays what the node sends (0: no longer); false when this kernel cannot.
  virtual bool delay(std::uint32_t client, std::int64_t ms) = 0;
  virtual std::int64_t round_trip_ns(std::uint32_t client) const = 0;  // of a probe of ours; negative: no answer

  std::string unavailable() override {
    if (!delay(0, 1)) {
      return "this kernel has no netem (sch_netem); remedy: modprobe sch_netem, as an administrator, or a kernel that "
             "has it";
    }
    delay(0, 0);
    return "";
  }
};

// How fast the clocks run that a client's session gives to its lock, the monotonic one as well. The client shows what
// it reads.
class ClientDrift : public CapabilityOf<Capability::client_drift> {
 public:
  virtual void set_drift(std::uint32_t client, std::int64_t parts_per_million) = 0;
  // What the drift had come to when the client last read a clock; nothing: it has not since the drift was set.
  virtual std::optional<std::int64_t> drift_seen_ns(std::uint32_t client) const = 0;
};

// The network of a client's node: packets that vanish.
class ClientNetwork : public CapabilityOf<Capability::client_network> {
 public:
  // Loads rules (nft), replacing ours; none removes them.
  virtual void filter(std::uint32_t client, const DroppingRules& rules) = 0;
  virtual std::int64_t packets_dropped(std::uint32_t client) const = 0;  // by the rules that are loaded
  // Sent to these addresses and not acknowledged: they are sent again when packets pass.
  virtual std::int64_t unsent_bytes(std::uint32_t client, const std::vector<std::string>& to) const = 0;
  virtual bool reaches(std::uint32_t client, const std::string& address) const = 0;  // a probe of ours, from that node
  virtual std::vector<std::string> addresses(const std::string& cut) const = 0;      // lock | resource | all

  std::string unavailable() override { return why_not(harmless_rules()); }

  // Tried on the node of client 0, since the program may be missing, and so may the parts of the kernel that it talks
  // to. Empty: such rules can be had.
  std::string why_not(const DroppingRules& rules) {
    try {
      filter(0, rules);
      filter(0, {});
      return "";
    } catch (const std::runtime_error& failed) {
      return failed.what();
    }
  }
};

// The processes of the clients.
class ClientProcesses : public CapabilityOf<Capability::client_processes> {
 public:
  virtual bool signal(std::uint32_t client, int number) = 0;
  virtual ProcessState state(std::uint32_t client) const = 0;
  // Its processor time so far, if all its threads are stopped: one that goes on for a moment uses some.
  virtual std::optional<std::int64_t> stopped_at_ns(std::uint32_t client) const = 0;
  // Ends it for good. Its belief ends with this call.
  virtual void kill(std::uint32_t client) = 0;
};

// The sessions of a client's threads at the lock service.
class ClientSessions : public CapabilityOf<Capability::client_sessions> {
 public:
  virtual std::vector<std::uint64_t> of(std::uint32_t client) const = 0;  // by the server's numbers for them
  virtual void end(std::uint64_t session) = 0;
  virtual bool alive(std::uint64_t session) = 0;
  virtual std::int64_t replies_lost(std::uint32_t client) const = 0;  // by order, so far
};

// Replies to a client's statements, or to its requests, which are lost by the order with which it goes on.
class ClientRequests : public CapabilityOf<Capability::client_requests> {
 public:
  virtual std::int64_t replies_lost(std::uint32_t client) const = 0;  // by order, so far
};

// A client's requests on their way, which the relay holds or repeats by the order with which the client goes on.
class ClientRelay : public CapabilityOf<Capability::client_relay> {
 public:
  virtual bool keeps(std::uint32_t client) const = 0;  // a request, that was not sent yet
  virtual void send_kept(std::uint32_t client) = 0;    // that is over
  virtual std::string evidence(std::uint32_t client,
                               PointAction action) const = 0;  // of the last one; empty: not done yet
  virtual bool gives_up_copy(std::uint32_t client) = 0;        // of a request that has no reply yet; false: it was sent
};

// New clients in the place of those that are gone. The plan has one spare a fault, so that a fault with this need
// strikes one client.
class SpareClients : public CapabilityOf<Capability::spare_clients> {
 public:
  // Starts a new client on the node of one that is gone, which waits until `begin`; nothing when the plan has no spare
  // left.
  virtual std::optional<std::uint32_t> prepare(std::uint32_t client) = 0;
  virtual void begin(std::uint32_t spare) = 0;
  virtual bool ready(std::uint32_t spare) const = 0;    // its program has started, and has connected
  virtual bool working(std::uint32_t spare) const = 0;  // it has begun
  virtual bool asked(std::uint32_t spare) const = 0;    // ... its first attempt
};

struct BlockedThreadState {
  bool stands = false;
  std::int64_t others_went_on_ns = -1;  // how long ago others of its program were last seen to; negative: not yet
};

// The thread of a client that drives its lock, which can be made to stand still while others of its program go on: its
// watchdog in a lock in C++, whatever other threads there are in one that is a program of its own.
class ClientThreads : public CapabilityOf<Capability::client_threads> {
 public:
  virtual void block(std::uint32_t client, std::int64_t ms) = 0;
  virtual void unblock(std::uint32_t client) = 0;
  virtual BlockedThreadState blocked_thread(std::uint32_t client) const = 0;
};

struct GatedClient {
  bool on = false;
  bool stands = false;         // it waits for a turn
  std::uint32_t begun = 0;     // statements so far
  std::uint32_t answered = 0;  // of these; fewer: it is in one
};

// Clients that do no statement of their lock without being given a turn.
class StatementGate : public CapabilityOf<Capability::statement_gate> {
 public:
  virtual void gate(std::uint32_t client, bool on) = 0;
  virtual void give_turn(std::uint32_t client, PointAction how) = 0;
  virtual GatedClient gated(std::uint32_t client) const = 0;
};

}  // namespace holdfast
