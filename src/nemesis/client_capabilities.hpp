// Capabilities for faults of clients; a fault gets those it declares (capability.hpp).
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

// Rules that drop nothing. 192.0.2.1 is an address for documentation (RFC 5737) that no host has.
inline DroppingRules harmless_rules() {
  DroppingRules rules;
  rules.drop_from("192.0.2.1");
  return rules;
}

// State of a process, as faults distinguish it.
enum class ProcessState : std::uint8_t { running, stopped, gone };

// `kernel`: as in /proc/PID/stat, or 'X' for a non-existent process. A zombie counts as gone.
constexpr ProcessState process_state(char kernel) {
  if (kernel == 'X' || kernel == 'Z') return ProcessState::gone;
  return kernel == 'T' ? ProcessState::stopped : ProcessState::running;
}

// The wall clock of a client: the one its session gives to its lock, or that of a separate lock program.
class ClientClocks : public CapabilityOf<Capability::client_clocks> {
 public:
  virtual void set_offset(std::uint32_t client, std::int64_t ns) = 0;
  // Offset at the client's last reading; empty: no reading since it was set, or an inconsistent report.
  virtual std::optional<std::int64_t> offset_seen_ns(std::uint32_t client) const = 0;
};

// The network of a client's node: delayed packets.
class ClientDelay : public CapabilityOf<Capability::client_delay> {
 public:
  // Delays packets sent by the node (0: no more); returns false if the kernel does not support it.
  virtual bool delay(std::uint32_t client, std::int64_t ms) = 0;
  virtual std::int64_t round_trip_ns(std::uint32_t client) const = 0;  // of a probe; negative: no answer

  std::string unavailable() override {
    if (!delay(0, 1)) {
      return "this kernel has no netem (sch_netem); remedy: modprobe sch_netem, as administrator, or use a kernel that "
             "has it";
    }
    delay(0, 0);
    return "";
  }
};

// The rate of the clocks that a client's session gives to its lock, including the monotonic one. The client shows its
// readings.
class ClientDrift : public CapabilityOf<Capability::client_drift> {
 public:
  virtual void set_drift(std::uint32_t client, std::int64_t parts_per_million) = 0;
  // Offset caused by the drift at the client's last reading; empty: no reading since the drift was set.
  virtual std::optional<std::int64_t> drift_seen_ns(std::uint32_t client) const = 0;
};

// The network of a client's node: dropped packets.
class ClientNetwork : public CapabilityOf<Capability::client_network> {
 public:
  // Replaces holdfast's nft rules on the node; empty rules remove them.
  virtual void filter(std::uint32_t client, const DroppingRules& rules) = 0;
  virtual std::int64_t packets_dropped(std::uint32_t client) const = 0;  // by the loaded rules
  // Unacknowledged bytes sent to these addresses; they are retransmitted when packets pass.
  virtual std::int64_t unsent_bytes(std::uint32_t client, const std::vector<std::string>& to) const = 0;
  virtual bool reaches(std::uint32_t client, const std::string& address) const = 0;  // tested by a probe from that node
  virtual std::vector<std::string> addresses(const std::string& cut) const = 0;      // lock | resource | all

  std::string unavailable() override { return why_not(harmless_rules()); }

  // Tested on client 0's node, since the program, or parts of the kernel that it needs, may be missing. Empty: such
  // rules work.
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
  // Its processor time so far, if all its threads are stopped: even a brief run would increase it.
  virtual std::optional<std::int64_t> stopped_at_ns(std::uint32_t client) const = 0;
  // Ends it permanently. Its beliefs end with this call.
  virtual void kill(std::uint32_t client) = 0;
};

// The sessions of a client's threads at the lock service.
class ClientSessions : public CapabilityOf<Capability::client_sessions> {
 public:
  virtual std::vector<std::uint64_t> of(std::uint32_t client) const = 0;  // by the server's session numbers
  virtual void end(std::uint64_t session) = 0;
  virtual bool alive(std::uint64_t session) = 0;
  virtual std::int64_t replies_lost(std::uint32_t client) const = 0;  // by PointAction, so far
};

// Lost replies to a client's statements or requests, caused by the action at an injection point.
class ClientRequests : public CapabilityOf<Capability::client_requests> {
 public:
  virtual std::int64_t replies_lost(std::uint32_t client) const = 0;  // by PointAction, so far
};

// A client's requests in flight, held or repeated by the relay through the action at an injection point.
class ClientRelay : public CapabilityOf<Capability::client_relay> {
 public:
  virtual bool keeps(std::uint32_t client) const = 0;  // a request not sent yet
  virtual void send_kept(std::uint32_t client) = 0;    // at the end of the fault
  virtual std::string evidence(std::uint32_t client,
                               PointAction action) const = 0;  // of the last one; empty: not done yet
  // of a request without a reply so far; returns false if it was sent
  virtual bool gives_up_copy(std::uint32_t client) = 0;
};

// New clients that replace ended ones. The plan has one spare per fault, so a fault with this need strikes one client.
class SpareClients : public CapabilityOf<Capability::spare_clients> {
 public:
  // Starts a new client on the node of an ended one; it waits until `begin`. Returns nothing if the plan has no spare
  // left.
  virtual std::optional<std::uint32_t> prepare(std::uint32_t client) = 0;
  virtual void begin(std::uint32_t spare) = 0;
  virtual bool ready(std::uint32_t spare) const = 0;    // its program is started and connected
  virtual bool working(std::uint32_t spare) const = 0;  // it has begun
  virtual bool asked(std::uint32_t spare) const = 0;    // ... and made its first attempt
};

struct BlockedThreadState {
  bool stands = false;
  // time since other threads of its program were last seen to run; negative: not yet
  std::int64_t others_went_on_ns = -1;
};

// The client's thread that drives its lock, which can be blocked while other threads of its program run: its watchdog
// for a lock in C++, any other threads in a separate program.
class ClientThreads : public CapabilityOf<Capability::client_threads> {
 public:
  virtual void block(std::uint32_t client, std::int64_t ms) = 0;
  virtual void unblock(std::uint32_t client) = 0;
  virtual BlockedThreadState blocked_thread(std::uint32_t client) const = 0;
};

struct GatedClient {
  bool on = false;
  bool stands = false;         // waits for a turn
  std::uint32_t begun = 0;     // statements so far
  std::uint32_t answered = 0;  // number of these; fewer than begun: a statement is open
};

// Clients that execute a statement only when given a turn.
class StatementGate : public CapabilityOf<Capability::statement_gate> {
 public:
  virtual void gate(std::uint32_t client, bool on) = 0;
  virtual void give_turn(std::uint32_t client, PointAction how) = 0;
  virtual GatedClient gated(std::uint32_t client) const = 0;
};

}  // namespace holdfast
