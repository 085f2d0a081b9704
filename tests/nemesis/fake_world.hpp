// A world for faults to act on, without processes, network or server. It does what it is told at once, and keeps a
// list of what it was told; its clock goes on when it is looked at, so that nothing waits in earnest.
//
//   FakeWorld world;
//   world.deaf = true;              // nothing has any effect: no fault can be proved
//   world.holding = {1};
//
// Clients 0 to 4 are there at the start; whoever arrives at a point is client 2, unless `arrives` says otherwise.
#pragma once

#include <atomic>
#include <chrono>
#include <csignal>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "artifact/error.hpp"
#include "nemesis/fault.hpp"
#include "tests/nemesis/fake_orders.hpp"
#include "tests/nemesis/fake_server.hpp"

namespace holdfast {

class FakeWorld : public FakeOrders {
 public:
  Victims holding;
  Victims wanting;
  std::optional<std::uint32_t> arrives = 2;
  std::optional<std::uint32_t> arrives_at_end = 4;  // where a fault ends at a point
  Durability durable = Durability::kept;
  bool keeps_mark = true;
  std::atomic<std::int64_t> client_ran_ns{1};  // processor time of each
  std::atomic<std::int64_t> server_ran_ns{1};
  std::string comes_back_as = "10.0.1.1";  // a host whose address was given away
  bool follows = true;                     // the replica gets what the server acknowledges
  bool loses_mark = true;                  // ... but not the last, when it is promoted
  std::uint32_t servers_there = 1;
  bool has_session = true;                   // each client, at the lock service
  bool comes_together = true;                // once a server that was cut off is let back
  std::int64_t clock_within_ns = 1'000'000;  // how sure a reading of the server's clock is

  std::uint32_t clients() const override { return clients_; }

  bool signal(std::uint32_t client, int number) override {
    return tell(number == SIGSTOP ? "stop" : "go on", client, [&] {
      if (states_[client] != 'X') states_[client] = number == SIGSTOP ? 'T' : 'S';
    });
  }
  char process_state(std::uint32_t client) const override { return state(client); }
  std::optional<std::int64_t> stopped_at_ns(std::uint32_t client) const override {
    return state(client) == 'T' ? std::optional(client_ran_ns.load()) : std::nullopt;
  }
  void set_clock_offset(std::uint32_t client, std::int64_t ns) override {
    tell("clock " + std::to_string(ns), client, [&] { offsets_[client] = ns; });
  }
  std::int64_t clock_offset_seen(std::uint32_t client) const override { return look(offsets_, client); }
  void set_clock_drift(std::uint32_t client, std::int64_t parts) override {
    tell("drift " + std::to_string(parts), client, [&] { drifts_[client] = parts; });
  }
  std::int64_t clock_drift_seen_ns(std::uint32_t client) const override { return look(drifts_, client) * 1'000'000; }

  void filter(std::uint32_t client, const std::string& rules) override {
    tell(rules.empty() ? "let through" : "cut", client, [&] { rules_[client] = rules; });
  }
  std::int64_t packets_dropped(std::uint32_t client) const override { return look(rules_, client).empty() ? 0 : 3; }
  bool reaches(std::uint32_t client, const std::string& address) const override {
    return look(rules_, client).find(address) == std::string::npos;
  }
  std::vector<std::string> addresses(const std::string&) const override { return {"10.0.0.1"}; }
  bool delay(std::uint32_t client, std::int64_t ms) override {
    return tell("delay " + std::to_string(ms), client, [&] { delays_[client] = ms; });
  }
  std::int64_t round_trip_ns(std::uint32_t client) const override { return look(delays_, client) * 1'000'000 + 1000; }
  void kill(std::uint32_t client) override {
    tell("kill", client, [&] { states_[client] = 'X'; });
  }
  std::optional<std::uint32_t> replace(std::uint32_t client) override {
    if (!tell("replace", client, [] {})) return std::nullopt;
    return clients_++;
  }
  std::optional<std::uint32_t> give_address_away(std::uint32_t client) override {
    if (!tell("give address", client, [&] { homes_[clients_] = std::exchange(homes_[client], "none"); })) return {};
    return clients_++;
  }
  void bring_back(std::uint32_t client) override {
    tell("bring back", client, [&] { homes_[client] = comes_back_as; });
  }
  std::string address_seen(std::uint32_t client) const override {
    const std::string home = look(homes_, client);
    return home == "none" ? "" : home.empty() ? "10.0.0.9" : home;
  }
  bool ready(std::uint32_t client) const override { return client < clients_; }
  std::vector<std::uint64_t> connections(std::uint32_t client) const override {
    return has_session ? std::vector<std::uint64_t>{100 + client} : std::vector<std::uint64_t>{};
  }
  void end_connection(std::uint64_t connection) override {
    tell("end connection", static_cast<std::uint32_t>(connection - 100), [&] { ended_.insert(connection); });
  }
  bool connection_alive(std::uint64_t connection) override {
    const std::lock_guard guard(mutex_);
    return ended_.count(connection) == 0;
  }

  std::uint32_t servers() const override { return servers_there; }
  bool signal_server(std::uint32_t server, int number) override {
    return tell(number == SIGSTOP ? "stop server" : "go on server", server,
                [&] { server_.state = number == SIGSTOP ? 'T' : 'S'; });
  }
  char server_state(std::uint32_t) const override { return server().state; }
  std::optional<std::int64_t> server_stopped_at_ns(std::uint32_t) const override {
    return server().state == 'T' ? std::optional(server_ran_ns.load()) : std::nullopt;
  }
  std::int64_t server_process(std::uint32_t) const override { return server().process; }
  bool server_answers(std::uint32_t) const override { return server().state == 'S'; }
  void kill_server(std::uint32_t number) override {
    tell("kill server", number, [&] { server_.state = 'X'; });
  }
  void restart_server(std::uint32_t number) override {
    tell("restart server", number, [&] {
      server_ = {'S',   server_.process + 1,   server_.offset_ns, server_.drift_ppm, true, false,
                 false, server_.drift_since_ns};
    });
  }
  Durability durability(std::uint32_t) const override { return durable; }
  void leave_mark(std::uint32_t number) override {
    tell("mark", number, [] {});
  }
  std::optional<bool> mark_kept(std::uint32_t) const override {
    return keeps_mark && (!loses_mark || server().replicates || !server().promoted);
  }
  void set_server_clock(std::uint32_t number, std::int64_t ns) override {
    tell("server clock " + std::to_string(ns), number, [&] { server_.offset_ns = ns; });
  }
  void set_server_drift(std::uint32_t number, std::int64_t parts) override {
    tell("server drift " + std::to_string(parts), number, [&] {
      server_.drift_ppm = parts;
      server_.drift_since_ns = time_ns();
    });
  }
  std::optional<ClockReading> read_server_clock(std::uint32_t) const override {
    const std::int64_t drift_ns = (time_ns() - server().drift_since_ns) / 1'000'000 * server().drift_ppm;
    return ClockReading{server().offset_ns + drift_ns, clock_within_ns};
  }

  void cut_replication(std::uint32_t number) override {
    tell("cut replication", number, [&] { server_.replicates = false; });
  }
  std::int64_t replication_packets_dropped(std::uint32_t) const override { return server().replicates ? 0 : 3; }
  std::optional<bool> replica_has_mark(std::uint32_t) const override { return follows && server().replicates; }
  void promote_replica(std::uint32_t number) override {
    tell("promote replica", number, [&] { server_.promoted = true; });
  }
  bool replica_is_primary(std::uint32_t) const override { return server().promoted; }

  void cut_off_server(std::uint32_t number) override {
    tell("cut off server", number, [&] { server_.apart = true; });
  }
  void let_server_back(std::uint32_t number) override {
    tell("let back server", number, [&] { server_.apart = false; });
  }
  std::int64_t server_packets_dropped(std::uint32_t) const override { return server().apart ? 3 : 0; }
  bool server_reaches_others(std::uint32_t) const override { return !server().apart; }
  std::optional<ClusterView> cluster_view(std::uint32_t) const override {
    if (server().apart || !comes_together) return ClusterView{1, false};
    return ClusterView{servers_there, true};
  }

  Victims holders() const override { return holding; }
  Victims waiters() const override { return wanting; }
  void arm(const Moment&, const std::string& whom, std::size_t number) override {
    const std::lock_guard guard(mutex_);
    waited_for_[static_cast<std::uint32_t>(number)] = whom;
    armed_.insert(number);
  }
  std::set<std::size_t> armed() const {
    const std::lock_guard guard(mutex_);
    return armed_;
  }
  std::string waited_for(std::size_t number) const { return look(waited_for_, static_cast<std::uint32_t>(number)); }
  std::optional<std::uint32_t> wait_arrival(std::size_t number) override {
    if (!armed().contains(number)) return std::nullopt;
    if (const auto client = who_comes(number)) tell("arrives", *client, [] {});
    return who_comes(number);
  }
  bool arrived(std::size_t number, std::int64_t within_ms) override {
    if (who_comes(number)) return true;
    wait_ms(within_ms);
    closed = true;  // in the end
    return false;
  }
  void release(std::size_t number, Release how) override {
    const std::uint32_t client = who_comes(number).value();
    tell(how == Release::lose_reply ? "release, reply lost" : "release", client, [&] {
      if (how == Release::lose_reply) ++lost_[client];
    });
  }

 private:
  std::optional<std::uint32_t> who_comes(std::size_t trigger) const {
    return trigger < end_trigger(0) ? arrives : arrives_at_end;
  }
  FakeServer server() const {
    const std::lock_guard guard(mutex_);
    return server_;
  }

  char state(std::uint32_t client) const { return look(states_, client) == 0 ? 'S' : look(states_, client); }

  std::atomic<std::uint32_t> clients_{5};
  std::map<std::uint32_t, char> states_;
  std::map<std::uint32_t, std::int64_t> offsets_;
  std::map<std::uint32_t, std::int64_t> drifts_;
  std::map<std::uint32_t, std::int64_t> delays_;
  std::set<std::size_t> armed_;
  std::map<std::uint32_t, std::string> waited_for_;
  std::map<std::uint32_t, std::string> rules_;
  std::map<std::uint32_t, std::string> homes_;  // addresses; "none": off the network
  std::set<std::uint64_t> ended_;
  FakeServer server_;
};

}  // namespace holdfast
