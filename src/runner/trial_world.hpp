// The World that faults see (nemesis/fault.hpp), made of the control page, the lab and the client processes of a
// running trial. Faults call it from threads of their own.
#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <vector>

#include "artifact/plan.hpp"
#include "control/control_page.hpp"
#include "lab/process.hpp"
#include "nemesis/fault.hpp"
#include "runner/planned_stops.hpp"
#include "runner/trial_lab.hpp"

namespace holdfast {

class TrialWorld : public World {
 public:
  TrialWorld(SharedPage& page, TrialLab& lab, const Plan& plan);

  // The runner's side.
  void start_client(const ClientPlan& client);
  Process& process(std::uint32_t client) { return *processes_.at(client); }
  bool ended_by_fault(std::uint32_t client) const { return ended_.at(client).load(); }
  void begin_load() { load_ns_.store(now_ns()); }
  void close() { closing_.store(true); }
  std::vector<Event> told();  // kills, with the time of the call
  const PlannedStops& planned_stops() const { return stops_; }
  static std::int64_t number_of_server(std::uint32_t server) { return -1 - static_cast<std::int64_t>(server); }

  std::int64_t now_ns() const override { return monotonic_ns() - page_.zero_ns; }
  std::int64_t load_ns() const override { return load_ns_.load(); }
  bool closing() const override { return closing_.load(); }
  bool wait_ms(std::int64_t ms) override;
  std::uint32_t clients() const override { return started_.load(); }

  bool signal(std::uint32_t client, int number) override;
  char process_state(std::uint32_t client) const override { return processes_.at(client)->state(); }
  std::optional<std::int64_t> stopped_at_ns(std::uint32_t client) const override {
    return processes_.at(client)->stopped_at_ns();
  }
  void set_clock_offset(std::uint32_t client, std::int64_t ns) override;
  std::int64_t clock_offset_seen(std::uint32_t client) const override;
  void set_clock_drift(std::uint32_t client, std::int64_t parts_per_million) override;
  std::int64_t clock_drift_seen_ns(std::uint32_t client) const override;

  void filter(std::uint32_t client, const std::string& rules) override;
  std::int64_t packets_dropped(std::uint32_t client) const override;
  bool reaches(std::uint32_t client, const std::string& address) const override;
  std::vector<std::string> addresses(const std::string& cut) const override;
  bool delay(std::uint32_t client, std::int64_t ms) override;
  std::int64_t round_trip_ns(std::uint32_t client) const override;

  void kill(std::uint32_t client) override;
  std::optional<std::uint32_t> replace(std::uint32_t client) override;
  std::optional<std::uint32_t> give_address_away(std::uint32_t client) override;
  void bring_back(std::uint32_t client) override;
  std::string address_seen(std::uint32_t client) const override;
  bool ready(std::uint32_t client) const override { return page_.clients.at(client).ready.load() != 0; }
  std::vector<std::uint64_t> connections(std::uint32_t client) const override;
  void end_connection(std::uint64_t connection) override;
  bool connection_alive(std::uint64_t connection) override;
  std::int64_t replies_lost(std::uint32_t client) const override {
    return page_.clients.at(client).replies_lost.load();
  }

  std::uint32_t servers() const override { return lab_.servers(); }
  bool signal_server(std::uint32_t server, int number) override;
  char server_state(std::uint32_t server) const override;
  std::optional<std::int64_t> server_stopped_at_ns(std::uint32_t server) const override;
  std::int64_t server_process(std::uint32_t server) const override;
  bool server_answers(std::uint32_t server) const override;
  void kill_server(std::uint32_t server) override;
  void restart_server(std::uint32_t server) override;
  Durability durability(std::uint32_t server) const override;
  void leave_mark(std::uint32_t server) override;
  std::optional<bool> mark_kept(std::uint32_t server) const override;
  void set_server_clock(std::uint32_t server, std::int64_t offset_ns) override;
  void set_server_drift(std::uint32_t server, std::int64_t parts_per_million) override;
  std::optional<ClockReading> read_server_clock(std::uint32_t server) const override;
  void cut_replication(std::uint32_t server) override;
  std::int64_t replication_packets_dropped(std::uint32_t server) const override;
  std::optional<bool> replica_has_mark(std::uint32_t server) const override;
  void promote_replica(std::uint32_t server) override;
  bool replica_is_primary(std::uint32_t server) const override;
  void cut_off_server(std::uint32_t server) override;
  void let_server_back(std::uint32_t server) override;
  std::int64_t server_packets_dropped(std::uint32_t server) const override;
  bool server_reaches_others(std::uint32_t server) const override;
  std::optional<ClusterView> cluster_view(std::uint32_t server) const override;

  void conduct(std::uint32_t client, bool on) override;
  void give_turn(std::uint32_t client, Release how) override;
  ConductedClient conducted(std::uint32_t client) const override;

  Victims holders() const override;
  Victims waiters() const override;
  void arm(const Moment& at, const std::string& whom, std::size_t trigger_number) override;
  std::optional<std::uint32_t> wait_arrival(std::size_t trigger_number) override;
  bool arrived(std::size_t trigger_number, std::int64_t within_ms) override;
  void release(std::size_t trigger_number, Release how) override;

 private:
  std::optional<std::uint32_t> start_spare(std::uint32_t node);
  Door door(const std::string& address) const;
  const Node& node_of(std::uint32_t client) const { return lab_.client_node(nodes_.at(client)); }
  Victims where(const std::function<bool(const ClientSlot&)>& test) const;

  ControlPage& page_;
  int page_descriptor_;
  TrialLab& lab_;
  const Plan& plan_;
  std::vector<std::optional<Process>> processes_;  // by client; made once, so that threads may read beside a start
  std::vector<std::uint32_t> nodes_;               // by client
  std::set<std::uint32_t> off_network_;            // nodes
  std::array<std::atomic<bool>, kClientSlots> ended_{};
  std::atomic<std::uint32_t> started_{0};
  std::atomic<std::int64_t> load_ns_{-1};
  std::atomic<bool> closing_{false};
  std::atomic<std::int64_t> marks_{0};
  std::mutex mutex_;
  std::vector<Event> told_;
  PlannedStops stops_;
};

}  // namespace holdfast
