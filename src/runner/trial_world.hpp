// The world that faults see (nemesis/world.hpp) of a running trial: made of the control page, the lab and the client
// processes, one class a capability (capabilities/). It offers what the lab has: on a server of the user's own no
// network, and of servers what the topology bears.
#pragma once

#include "nemesis/world.hpp"
#include "runner/capabilities/lab_candidates.hpp"
#include "runner/capabilities/lab_client_clocks.hpp"
#include "runner/capabilities/lab_client_delay.hpp"
#include "runner/capabilities/lab_client_drift.hpp"
#include "runner/capabilities/lab_client_network.hpp"
#include "runner/capabilities/lab_client_processes.hpp"
#include "runner/capabilities/lab_client_sessions.hpp"
#include "runner/capabilities/lab_cluster_links.hpp"
#include "runner/capabilities/lab_moments.hpp"
#include "runner/capabilities/lab_replication_link.hpp"
#include "runner/capabilities/lab_server_administration.hpp"
#include "runner/capabilities/lab_server_clocks.hpp"
#include "runner/capabilities/lab_server_processes.hpp"
#include "runner/capabilities/lab_spare_clients.hpp"
#include "runner/capabilities/lab_spare_hosts.hpp"
#include "runner/capabilities/lab_statement_gate.hpp"
#include "runner/capabilities/lab_time.hpp"

namespace holdfast {

class TrialWorld : public WholeWorld {
 public:
  TrialWorld(SharedPage& page, TrialLab& lab, const Plan& plan);
  TrialWorld(const TrialWorld&) = delete;
  TrialWorld& operator=(const TrialWorld&) = delete;

  // The runner's side.
  ClientRoster& clients() { return roster_; }
  LabTime& lab_time() { return time_; }
  bool anybody_waits() const { return !candidates_.waiters().empty(); }

 private:
  ClientRoster roster_;
  LabTime time_;
  LabCandidates candidates_;
  LabMoments moments_;
  LabClientProcesses client_processes_;
  LabSpareClients spare_clients_;
  LabSpareHosts spare_hosts_;
  LabClientNetwork client_network_;
  LabClientDelay client_delay_;
  LabClientClocks client_clocks_;
  LabClientDrift client_drift_;
  LabClientSessions client_sessions_;
  LabStatementGate statement_gate_;
  LabServerProcesses server_processes_;
  LabServerAdministration server_administration_;
  LabServerClocks server_clocks_;
  LabReplicationLink replication_link_;
  LabClusterLinks cluster_links_;
};

}  // namespace holdfast
