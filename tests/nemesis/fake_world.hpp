// A world for faults to act on, without processes, network or server. It executes commands at once, and records them.
//
//   FakeWorld world;
//   world.deaf = true;                              // nothing has any effect: no fault can be proved
//   world.holding = {1};
//   world.take_away(Capability::client_network);    // the trial does not offer it
//
// Clients 0 to 4 are there at the start; client 2 reaches each point, unless `arrives` says otherwise.
#pragma once

#include <map>
#include <set>
#include <string>

#include "tests/nemesis/fake_clients.hpp"
#include "tests/nemesis/fake_servers.hpp"
#include "tests/nemesis/fake_state.hpp"

namespace holdfast {

class FakeTime : public FakePart<TrialTime> {
 public:
  using FakePart::FakePart;
  std::int64_t now_ns() const override { return all_.look_at_clock(); }
  std::int64_t load_ns() const override { return all_.load_began_ns; }
  bool closing() const override { return all_.closed; }
  bool wait_ms(std::int64_t ms) override { return all_.wait(ms); }
};

class FakeCandidates : public FakePart<Candidates> {
 public:
  using FakePart::FakePart;
  std::uint32_t clients() const override { return all_.clients_there; }
  std::uint32_t servers() const override { return all_.servers_there; }
  std::optional<std::uint32_t> leader() const override { return all_.leads; }
  bool gone(std::uint32_t client) const override { return all_.state(client) == ProcessState::gone; }
  Victims holders() const override { return all_.holding; }
  Victims waiters() const override { return all_.wanting; }
};

class FakeInjectionPoints : public FakePart<InjectionPoints> {
 public:
  using FakePart::FakePart;
  void arm(const InjectionPoint&, const std::string& whom, std::size_t number) override {
    const std::lock_guard guard(all_.mutex_);
    waited_for_[static_cast<std::uint32_t>(number)] = whom;
    armed_.insert(number);
  }
  std::optional<std::uint32_t> wait_arrival(std::size_t number) override {
    if (!armed().contains(number)) return std::nullopt;
    if (const auto client = who_comes(number)) all_.tell("arrives", *client, [] {});
    return who_comes(number);
  }
  Absence absence(std::size_t) override { return all_.why_absent; }
  bool arrived(std::size_t number, std::int64_t within_ms) override {
    if (all_.comes_late) {
      for (int looks = 0; looks < 2; ++looks) all_.wait(within_ms);
      return all_.comes_late() && who_comes(number);
    }
    if (who_comes(number)) return true;
    all_.wait(within_ms);
    all_.closed = true;  // in the end
    return false;
  }
  void release(std::size_t number, PointAction how) override {
    const std::uint32_t client = who_comes(number).value();
    all_.tell(how == PointAction::lose_reply ? "release, reply lost" : "release", client, [&] {
      if (how == PointAction::lose_reply) ++all_.lost[client];
      if (how == PointAction::hold_request) ++all_.kept[client];
      if (how == PointAction::duplicate) ++all_.doubled[client];
      if (how == PointAction::lose_request) ++all_.thrown_away[client];
    });
  }
  std::set<std::size_t> armed() const {
    const std::lock_guard guard(all_.mutex_);
    return armed_;
  }
  std::string waited_for(std::uint32_t number) const { return all_.look(waited_for_, number); }

 private:
  std::optional<std::uint32_t> who_comes(std::size_t point) const {
    return point < end_point(0) ? all_.arrives : all_.arrives_at_end;
  }

  std::set<std::size_t> armed_;
  std::map<std::uint32_t, std::string> waited_for_;
};

class FakeWorld : public FakeState, public WholeWorld {
 public:
  FakeWorld() : WholeWorld(time_part, candidates_part, points_part) {
    offer(processes);
    offer(spare_clients);
    offer(spare_hosts);
    offer(network);
    offer(delay);
    offer(clocks);
    offer(drift);
    offer(sessions);
    offer(requests);
    offer(relay);
    offer(gate);
    offer(threads);
    offer(server_processes);
    offer(administration);
    offer(server_clocks);
    offer(server_disks);
    offer(replication);
    offer(cluster);
  }
  using World::offer;  // another in its place
  using World::take_away;

  FakeTime time_part{*this};
  FakeCandidates candidates_part{*this};
  FakeInjectionPoints points_part{*this};
  FakeClientProcesses processes{*this};
  FakeSpareClients spare_clients{*this};
  FakeSpareHosts spare_hosts{*this};
  FakeClientNetwork network{*this};
  FakeClientDelay delay{*this};
  FakeClientClocks clocks{*this};
  FakeClientDrift drift{*this};
  FakeClientSessions sessions{*this};
  FakeClientRequests requests{*this};
  FakeClientRelay relay{*this};
  FakeStatementGate gate{*this};
  FakeClientThreads threads{*this};
  FakeServerProcesses server_processes{*this};
  FakeServerAdministration administration{*this};
  FakeServerClocks server_clocks{*this};
  FakeServerDisks server_disks{*this};
  FakeReplicationLink replication{*this, network};
  FakeClusterLinks cluster{*this, network};
};

}  // namespace holdfast
