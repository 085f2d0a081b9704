// The parts of a fake world that are about its servers.
#pragma once

#include <csignal>

#include "nemesis/server_capabilities.hpp"
#include "tests/nemesis/fake_clients.hpp"

namespace holdfast {

class FakeServerProcesses : public FakePart<ServerProcesses> {
 public:
  using FakePart::FakePart;
  bool signal(std::uint32_t server, int number) override {
    return all_.tell(number == SIGSTOP ? "stop server" : "go on server", server, [&] {
      all_.the_server.state = number == SIGSTOP ? ProcessState::stopped : ProcessState::running;
    });
  }
  ProcessState state(std::uint32_t) const override { return all_.server().state; }
  std::optional<std::int64_t> stopped_at_ns(std::uint32_t server) const override {
    return state(server) == ProcessState::stopped ? std::optional(all_.server_ran_ns.load()) : std::nullopt;
  }
  std::int64_t number(std::uint32_t) const override { return all_.server().process; }
  bool answers(std::uint32_t server) const override { return state(server) == ProcessState::running; }
  void kill(std::uint32_t server) override {
    all_.tell("kill server", server, [&] { all_.the_server.state = ProcessState::gone; });
  }
  void restart(std::uint32_t server) override {
    all_.tell("restart server", server, [&] {
      FakeServer& old = all_.the_server;
      old.state = ProcessState::running;
      ++old.process;
      old.replicates = true;
      old.promoted = old.apart = false;
    });
  }
};

class FakeServerAdministration : public FakePart<ServerAdministration> {
 public:
  using FakePart::FakePart;
  Durability durability(std::uint32_t) const override { return all_.durable; }
  Durability durability_without_power(std::uint32_t) const override { return all_.durable_without_power; }
  void leave_canary(std::uint32_t server) override {
    all_.tell("canary", server, [] {});
  }
  std::optional<bool> canary_kept(std::uint32_t) const override {
    const FakeServer now = all_.server();
    return all_.keeps_mark && !now.dropped && (!all_.loses_mark || now.replicates || !now.promoted);
  }
  std::string cannot_drop_entries() const override { return ""; }
  void drop_entries(std::uint32_t server) override {
    all_.tell("drop entries", server, [&] { all_.the_server.dropped = true; });
  }
  std::string cannot_refuse_writes() const override { return ""; }
  void refuse_writes(std::uint32_t server, bool refuse) override {
    all_.tell(refuse ? "refuse writes" : "take writes", server, [&] { all_.the_server.read_only = refuse; });
  }
  std::optional<bool> takes_writes(std::uint32_t) const override { return !all_.server().read_only; }
};

class FakeServerDisks : public FakePart<ServerDisks> {
 public:
  using FakePart::FakePart;
  void lose(std::uint32_t server) override {
    all_.tell("lose power", server, [&] { ++loss.times; });
  }
  DiskLoss last_loss(std::uint32_t) const override {
    const std::lock_guard guard(all_.mutex_);
    return loss;
  }

  DiskLoss loss{0, 4096, 2, 3, true, true};
};

class FakeServerClocks : public FakePart<ServerClocks> {
 public:
  using FakePart::FakePart;
  std::string why_no_drift() const override { return all_.no_drift; }
  void set_offset(std::uint32_t server, std::int64_t ns) override {
    all_.tell("server clock " + std::to_string(ns), server, [&] { all_.the_server.offset_ns = ns; });
  }
  void set_drift(std::uint32_t server, std::int64_t parts) override {
    all_.tell("server drift " + std::to_string(parts), server, [&] {
      all_.the_server.drift_ppm = parts;
      all_.the_server.drift_since_ns = all_.time_ns();
    });
  }
  std::optional<ClockReading> read(std::uint32_t) const override {
    const FakeServer now = all_.server();
    const std::int64_t drift_ns = (all_.time_ns() - now.drift_since_ns) / 1'000'000 * now.drift_ppm;
    return ClockReading{now.offset_ns + drift_ns, all_.clock_within_ns};
  }
};

class FakeReplicationLink : public FakePart<ReplicationLink> {
 public:
  FakeReplicationLink(FakeState& all, ClientNetwork& network) : FakePart(all), network_(network) {}
  std::string unavailable() override { return network_.unavailable(); }
  void cut(std::uint32_t server) override {
    all_.tell("cut replication", server, [&] { all_.the_server.replicates = false; });
  }
  std::int64_t packets_dropped(std::uint32_t) const override { return all_.server().replicates ? 0 : 3; }
  std::optional<bool> replica_has_canary(std::uint32_t) const override {
    return all_.follows && all_.server().replicates;
  }
  void promote_replica(std::uint32_t server) override {
    all_.tell("promote replica", server, [&] { all_.the_server.promoted = true; });
  }
  bool replica_is_primary(std::uint32_t) const override { return all_.server().promoted; }

 private:
  ClientNetwork& network_;
};

class FakeClusterLinks : public FakePart<ClusterLinks> {
 public:
  FakeClusterLinks(FakeState& all, ClientNetwork& network) : FakePart(all), network_(network) {}
  std::string unavailable() override { return network_.unavailable(); }
  void cut_off(std::uint32_t server) override {
    all_.tell("cut off server", server, [&] { all_.the_server.apart = true; });
  }
  void cut_off_with_clients(std::uint32_t server) override {
    all_.tell("cut off server and clients", server, [&] { all_.the_server.apart = true; });
  }
  void let_back(std::uint32_t server) override {
    all_.tell("let back server", server, [&] { all_.the_server.apart = false; });
  }
  std::int64_t packets_dropped(std::uint32_t) const override { return all_.server().apart ? 3 : 0; }
  bool reaches_others(std::uint32_t) const override { return !all_.server().apart; }
  std::optional<ClusterView> view(std::uint32_t) const override {
    if (all_.server().apart || !all_.comes_together) return ClusterView{1, false};
    return ClusterView{all_.servers_there, true};
  }

 private:
  ClientNetwork& network_;
};

}  // namespace holdfast
