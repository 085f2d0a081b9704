// The World of a running trial (nemesis/world.hpp): built from the control page, the lab and the client processes, with
// one class per capability (lab_*_capabilities.hpp). It offers what the lab has: no network on a user's own server, and
// only the server capabilities that the topology supports.
#pragma once

#include "nemesis/world.hpp"
#include "runner/lab_client_capabilities.hpp"
#include "runner/lab_server_capabilities.hpp"
#include "runner/lab_trial_capabilities.hpp"

namespace holdfast {

class TrialWorld : public WholeWorld {
 public:
  TrialWorld(SharedPage& page, TrialLab& lab, const Plan& plan);
  TrialWorld(const TrialWorld&) = delete;
  TrialWorld& operator=(const TrialWorld&) = delete;

  // The runner's side.
  ClientRoster& clients() { return roster_; }
  const RequestRelay& requests() const { return requests_; }
  LabTime& lab_time() { return time_; }
  bool anybody_waits() const { return !candidates_.waiters().empty(); }

 private:
  ClientRoster roster_;
  RequestRelay requests_;
  LabTime time_;
  LabCandidates candidates_;
  LabInjectionPoints points_;
  LabClientProcesses client_processes_;
  LabSpareClients spare_clients_;
  LabSpareHosts spare_hosts_;
  LabClientNetwork client_network_;
  LabClientDelay client_delay_;
  LabClientClocks client_clocks_;
  LabClientDrift client_drift_;
  LabClientSessions client_sessions_;
  LabClientRequests client_requests_;
  LabClientRelay client_relay_;
  LabStatementGate statement_gate_;
  LabClientThreads client_threads_;
  LabServerProcesses server_processes_;
  LabServerAdministration server_administration_;
  LabServerClocks server_clocks_;
  LabServerDisks server_disks_;
  LabReplicationLink replication_link_;
  LabClusterLinks cluster_links_;
};

}  // namespace holdfast
