// The trial as faults see and touch it: clients, servers, links, clocks, points in the clients' work.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "artifact/capacity.hpp"
#include "artifact/scenario.hpp"
#include "servers/administration.hpp"

namespace holdfast {

using Victims = std::vector<std::uint32_t>;  // clients, or servers, as the fault's type says

// What a client is stopped at a point is told when it may go on.
enum class Release : std::uint8_t { go_on, lose_reply };

// Where a client stands when it has come to the point that ends a fault.
constexpr std::size_t end_trigger(std::size_t fault_number) {
  return static_cast<std::size_t>(kMostFaults) + fault_number;
}

// A client that does no statement of its lock without being given a turn.
struct ConductedClient {
  bool on = false;
  bool stands = false;         // it waits for a turn
  std::uint32_t begun = 0;     // statements so far
  std::uint32_t answered = 0;  // of these; fewer: it is in one
};

// The trial as a fault may touch it. Implemented by the runner (src/runner/trial_world).
class World {
 public:
  virtual ~World() = default;

  virtual std::int64_t now_ns() const = 0;    // of the trial
  virtual std::int64_t load_ns() const = 0;   // when the load began; before that -1
  virtual bool closing() const = 0;           // everything is to be healed now
  virtual bool wait_ms(std::int64_t ms) = 0;  // false: closing before the time was over
  virtual std::uint32_t clients() const = 0;

  virtual bool signal(std::uint32_t client, int number) = 0;
  virtual char process_state(std::uint32_t client) const = 0;  // 'T' stopped, 'X' gone
  // Its processor time so far, if all its threads are stopped: one that goes on for a moment uses some.
  virtual std::optional<std::int64_t> stopped_at_ns(std::uint32_t client) const = 0;
  virtual void set_clock_offset(std::uint32_t client, std::int64_t ns) = 0;
  virtual std::int64_t clock_offset_seen(std::uint32_t client) const = 0;

  virtual void set_clock_drift(std::uint32_t client, std::int64_t parts_per_million) = 0;
  virtual std::int64_t clock_drift_seen_ns(std::uint32_t client) const = 0;  // what the drift has come to

  // The network of the client's node. `filter` loads rules (nft), replacing ours; empty text removes them.
  virtual void filter(std::uint32_t client, const std::string& rules) = 0;
  virtual std::int64_t packets_dropped(std::uint32_t client) const = 0;              // by the rules that are loaded
  virtual bool reaches(std::uint32_t client, const std::string& address) const = 0;  // a probe of ours, from that node
  virtual std::vector<std::string> addresses(const std::string& cut) const = 0;      // lock | resource | all
  // Delays what the node sends (0: no longer); false when this kernel cannot.
  virtual bool delay(std::uint32_t client, std::int64_t ms) = 0;
  virtual std::int64_t round_trip_ns(std::uint32_t client) const = 0;

  // Ends a client for good. Its belief ends with this call.
  virtual void kill(std::uint32_t client) = 0;
  // Starts a new client in the place of one that is gone, on its node; nothing when the plan has no spare left.
  virtual std::optional<std::uint32_t> replace(std::uint32_t client) = 0;
  virtual bool ready(std::uint32_t client) const = 0;

  // Takes the client's host off the network, gives its address to another, and starts a new client there; nothing when
  // the plan has no host or no spare left. `bring_back`: with an address of its own; does nothing to one that is there.
  virtual std::optional<std::uint32_t> give_address_away(std::uint32_t client) = 0;
  virtual void bring_back(std::uint32_t client) = 0;
  // The address at which the lock service answers a probe of ours from the client's host; empty: it does not.
  virtual std::string address_seen(std::uint32_t client) const = 0;

  // The sessions of the client's threads at the lock service: the server's numbers for them.
  virtual std::vector<std::uint64_t> connections(std::uint32_t client) const = 0;
  virtual void end_connection(std::uint64_t connection) = 0;
  virtual bool connection_alive(std::uint64_t connection) = 0;

  virtual std::int64_t replies_lost(std::uint32_t client) const = 0;  // by order, so far

  // The servers of the lock service, from 0. That of the resource is none of them.
  virtual std::uint32_t servers() const = 0;
  virtual bool signal_server(std::uint32_t server, int number) = 0;
  virtual char server_state(std::uint32_t server) const = 0;                                 // as process_state
  virtual std::optional<std::int64_t> server_stopped_at_ns(std::uint32_t server) const = 0;  // as stopped_at_ns
  virtual std::int64_t server_process(std::uint32_t server) const = 0;  // its number: another one after a restart
  virtual bool server_answers(std::uint32_t server) const = 0;          // a probe of ours, from its own node
  virtual void kill_server(std::uint32_t server) = 0;                   // its end is expected from now on
  virtual void restart_server(std::uint32_t server) = 0;                // on the same data; does not wait for it
  virtual Durability durability(std::uint32_t server) const = 0;
  virtual void leave_mark(std::uint32_t server) = 0;                      // commits a row of ours; returns acknowledged
  virtual std::optional<bool> mark_kept(std::uint32_t server) const = 0;  // nothing: no answer
  virtual void set_server_clock(std::uint32_t server, std::int64_t offset_ns) = 0;
  virtual void set_server_drift(std::uint32_t server, std::int64_t parts_per_million) = 0;
  virtual std::optional<ClockReading> read_server_clock(std::uint32_t server) const = 0;  // a query of ours

  // Where a server has an asynchronous replica. Once that is promoted, it is the server that `mark_kept` asks.
  virtual void cut_replication(std::uint32_t server) = 0;  // packets between the two vanish
  virtual std::int64_t replication_packets_dropped(std::uint32_t server) const = 0;
  virtual std::optional<bool> replica_has_mark(std::uint32_t server) const = 0;  // nothing: no answer
  // The replica gets the server's address; the server leaves the network.
  virtual void promote_replica(std::uint32_t server) = 0;
  virtual bool replica_is_primary(std::uint32_t server) const = 0;  // what answers at the server's address says so

  // Where several servers are equals: packets between one and the others vanish; its clients still reach it.
  virtual void cut_off_server(std::uint32_t server) = 0;
  virtual void let_server_back(std::uint32_t server) = 0;
  virtual std::int64_t server_packets_dropped(std::uint32_t server) const = 0;
  virtual bool server_reaches_others(std::uint32_t server) const = 0;               // a probe of ours, from its node
  virtual std::optional<ClusterView> cluster_view(std::uint32_t server) const = 0;  // its answer; nothing: none

  // Who holds a key, or waits for one, just now.
  virtual Victims holders() const = 0;
  virtual Victims waiters() const = 0;

  virtual void conduct(std::uint32_t client, bool on) = 0;
  virtual void give_turn(std::uint32_t client, Release how) = 0;
  virtual ConductedClient conducted(std::uint32_t client) const = 0;

  // From `arm` on, a client stops at the n-th passing of a point until it is released. `whom`: "holder" or "waiter", if
  // only the passings of those who are that at the instant count; else empty. `wait_arrival` blocks until one does;
  // nothing when the trial closes first. `trigger`: the fault's number, or end_trigger of it.
  virtual void arm(const Moment& at, const std::string& whom, std::size_t trigger) = 0;
  virtual std::optional<std::uint32_t> wait_arrival(std::size_t trigger) = 0;
  virtual bool arrived(std::size_t trigger, std::int64_t within_ms) = 0;  // whether one stands there, or comes in time
  virtual void release(std::size_t trigger, Release how) = 0;
};

}  // namespace holdfast
