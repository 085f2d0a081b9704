// Capabilities for faults of servers and hosts (nemesis/server_capabilities.hpp) in a running trial.
#pragma once

#include <array>
#include <atomic>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "lab/network.hpp"
#include "lab/vdso_clock.hpp"
#include "nemesis/client_capabilities.hpp"
#include "nemesis/server_capabilities.hpp"
#include "runner/client_roster.hpp"
#include "runner/trial_lab.hpp"

namespace holdfast {

// The links between equal servers, cut at one server's node; those between its clients and other servers are cut at the
// other servers' nodes. Thread-safe: two faults may cut off two servers.
class LabClusterLinks : public ClusterLinks {
 public:
  LabClusterLinks(TrialLab& lab, const Plan& plan, ClientNetwork& network)
      : lab_(lab), plan_(plan), network_(network) {}

  std::string unavailable() override { return network_.unavailable(); }
  void cut_off(std::uint32_t server) override { cut(server, false); }
  void cut_off_with_clients(std::uint32_t server) override { cut(server, true); }
  void let_back(std::uint32_t server) override;
  std::int64_t packets_dropped(std::uint32_t server) const override;
  bool reaches_others(std::uint32_t server) const override;
  std::optional<ClusterView> view(std::uint32_t server) const override { return lab_.cluster().view_of(server); }

 private:
  void cut(std::uint32_t server, bool with_clients);
  void filter_all();
  std::vector<std::string> unreachable_from(std::uint32_t server) const;
  std::set<std::uint32_t> client_nodes(std::uint32_t server, bool own) const;
  struct Way {
    const Node* from;
    std::uint32_t server;
  };
  std::vector<Way> ways_out(std::uint32_t server) const;
  bool answers(const Node& from, std::uint32_t server) const;

  TrialLab& lab_;
  const Plan& plan_;
  ClientNetwork& network_;
  mutable std::mutex mutex_;
  std::map<std::uint32_t, bool> cuts_;             // by server: with its clients
  std::map<std::uint32_t, DroppingRules> loaded_;  // the rules of its node
};

// State of the lock's servers, as they report it.
class LabServerAdministration : public ServerAdministration {
 public:
  explicit LabServerAdministration(TrialLab& lab) : lab_(lab) {}

  Durability durability(std::uint32_t server) const override { return lab_.lock_server(server).durability(); }
  Durability durability_without_power(std::uint32_t server) const override {
    return lab_.lock_server(server).durability_without_power();
  }
  void leave_canary(std::uint32_t server) override {
    const std::int64_t mark = ++marks_;
    last_.at(server) = mark;
    lab_.lock_server(server).leave_canary(mark);
  }
  std::optional<bool> canary_kept(std::uint32_t server) const override {
    return lab_.lock_server(server).canary_kept(last_.at(server));
  }
  std::string cannot_drop_entries() const override { return lab_.lock_server(0).cannot_drop_entries(); }
  void drop_entries(std::uint32_t server) override { lab_.lock_server(server).drop_entries(); }
  std::string cannot_refuse_writes() const override { return lab_.lock_server(0).cannot_refuse_writes(); }
  void refuse_writes(std::uint32_t server, bool refuse) override { lab_.lock_server(server).refuse_writes(refuse); }
  std::optional<bool> takes_writes(std::uint32_t server) const override {
    return lab_.lock_server(server).takes_writes();
  }
  std::int64_t last_mark() const { return marks_; }

 private:
  TrialLab& lab_;
  std::atomic<std::int64_t> marks_{0};
  std::array<std::atomic<std::int64_t>, kServerAddresses.size()> last_{};  // by server
};

// The link between the lock's server and its replica, cut at the replica's node.
class LabReplicationLink : public ReplicationLink {
 public:
  LabReplicationLink(TrialLab& lab, const LabServerAdministration& administration, ClientNetwork& network)
      : lab_(lab), administration_(administration), network_(network) {}

  std::string unavailable() override { return network_.unavailable(); }
  void cut(std::uint32_t server) override;
  std::int64_t packets_dropped(std::uint32_t server) const override;
  std::optional<bool> replica_has_canary(std::uint32_t server) const override;
  void promote_replica(std::uint32_t server) override;
  bool replica_is_primary(std::uint32_t server) const override;

 private:
  TrialLab& lab_;
  const LabServerAdministration& administration_;
  ClientNetwork& network_;
};

// The clocks of the lock's servers, read by asking them. Set by the preloaded library, or for servers without it in the
// vDSO of the process that is serving.
class LabServerClocks : public ServerClocks {
 public:
  explicit LabServerClocks(TrialLab& lab) : lab_(lab) {}

  std::string unavailable() override { return lab_.vdso_clock() ? why_no_vdso_clock() : ""; }
  std::string why_no_drift() const override;
  void set_offset(std::uint32_t server, std::int64_t ns) override;
  void set_drift(std::uint32_t server, std::int64_t parts_per_million) override {
    lab_.server_clock(server).drift(parts_per_million);
  }
  std::optional<ClockReading> read(std::uint32_t server) const override {
    const auto clock = lab_.lock_server(server).clock();
    if (!clock) return std::nullopt;
    const std::int64_t doubt_ns = (clock->answered_ns - clock->asked_ns) / 2;
    return ClockReading{clock->server_ns - clock->asked_ns - doubt_ns, doubt_ns + clock->tick_ns};
  }

 private:
  TrialLab& lab_;
  std::mutex mutex_;
  std::map<pid_t, VdsoClock> clocks_;  // by process: a restarted one has the host's time
};

// The disks of the lock's servers, created if a plan needs them.
class LabServerDisks : public ServerDisks {
 public:
  explicit LabServerDisks(TrialLab& lab) : lab_(lab) {}

  void lose(std::uint32_t server) override { lab_.server_disk(server).lose(); }
  DiskLoss last_loss(std::uint32_t server) const override;

 private:
  TrialLab& lab_;
};

// The processes of the lock's servers.
class LabServerProcesses : public ServerProcesses {
 public:
  LabServerProcesses(TrialLab& lab, PlannedStops& stops) : lab_(lab), stops_(stops) {}

  bool signal(std::uint32_t server, int number) override;
  ProcessState state(std::uint32_t server) const override { return process_state(process(server).state()); }
  std::optional<std::int64_t> stopped_at_ns(std::uint32_t server) const override {
    return process(server).stopped_at_ns();
  }
  std::int64_t number(std::uint32_t server) const override { return process(server).process_number(); }
  bool answers(std::uint32_t server) const override;
  void kill(std::uint32_t server) override { process(server).kill(); }
  void restart(std::uint32_t server) override { process(server).restart(); }

 private:
  TrialServer& process(std::uint32_t server) const { return lab_.lock_server(server).process(); }

  TrialLab& lab_;
  PlannedStops& stops_;
};

// Additional hosts, created if a plan needs them.
class LabSpareHosts : public SpareHosts {
 public:
  LabSpareHosts(ClientRoster& roster, TrialLab& lab) : roster_(roster), lab_(lab) {}

  std::optional<std::uint32_t> give_address_away(std::uint32_t client) override;
  void bring_back(std::uint32_t client) override;
  std::string address_seen(std::uint32_t client) const override;
  std::string own_address(std::uint32_t client) const override;

 private:
  ClientRoster& roster_;
  TrialLab& lab_;
  std::mutex mutex_;
  std::set<std::uint32_t> off_network_;  // nodes
};

}  // namespace holdfast
