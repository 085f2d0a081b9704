#include "runner/trial_world.hpp"

#include "lock/lock.hpp"

namespace holdfast {

TrialWorld::TrialWorld(SharedPage& page, TrialLab& lab, const Plan& plan)
    : WholeWorld(time_, candidates_, points_),
      roster_(page, lab, plan, requests_),
      requests_(*page, lab, plan),
      time_(*page, lab.skips_time()),
      candidates_(roster_, lab, plan),
      points_(*page, time_, requests_),
      client_processes_(roster_),
      spare_clients_(roster_),
      spare_hosts_(roster_, lab),
      client_network_(roster_, lab, plan),
      client_delay_(roster_, lab),
      client_clocks_(*page, type_of_ref(plan.lock).manifest != nullptr, lab.on_hosts()),
      client_drift_(*page),
      client_sessions_(*page, lab, plan),
      client_requests_(*page, requests_),
      client_relay_(requests_),
      statement_gate_(*page),
      client_threads_(*page),
      server_processes_(lab, roster_.planned_stops()),
      server_administration_(lab),
      server_clocks_(lab),
      server_disks_(lab),
      replication_link_(lab, server_administration_, client_network_),
      cluster_links_(lab, plan, client_network_) {
  offer(client_processes_);
  offer(spare_clients_);
  offer(spare_hosts_);
  offer(client_network_);
  offer(client_delay_);
  offer(client_clocks_);
  offer(client_drift_);
  offer(client_sessions_);
  offer(client_requests_);
  offer(client_relay_);
  offer(statement_gate_);
  offer(client_threads_);
  offer(server_processes_);
  offer(server_administration_);
  offer(server_clocks_);
  offer(server_disks_);
  offer(replication_link_);
  offer(cluster_links_);
  for (const auto capability : all_capabilities()) {
    const bool there = is_offered(capability, lab.topology()) && !(lab.on_target() && facts_of(capability).lab_only);
    if (!there) take_away(capability);
  }
}

}  // namespace holdfast
