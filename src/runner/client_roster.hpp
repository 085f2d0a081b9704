// The client processes of a running trial, and the times in which faults had stopped them.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "artifact/plan.hpp"
#include "control/control_page.hpp"
#include "history/event.hpp"
#include "hosts/remote_programs.hpp"
#include "lab/process.hpp"
#include "runner/request_relay.hpp"
#include "runner/trial_lab.hpp"

namespace holdfast {

// Records when faults have stopped a process; other stretches in which it did not run have causes outside. Thread-safe.
struct StoppedSpan {
  std::int64_t from_ns = 0;  // CLOCK_MONOTONIC
  std::int64_t to_ns = 0;
};

// Number of a server, distinct from those of clients.
constexpr std::int64_t number_of_server(std::uint32_t server) {
  return -1 - static_cast<std::int64_t>(server);
}

class PlannedStops {
 public:
  // Records a SIGSTOP or SIGCONT sent by a fault (other signals are ignored) to the process with this number.
  void signalled(std::int64_t number, int signal, std::int64_t now_ns);

  // The parts of a stretch in which no fault had stopped the process. A stop counts for `slack_ns` beyond its end,
  // because a continued process does not run at the same instant.
  std::vector<StoppedSpan> others(std::int64_t number, StoppedSpan stretch, std::int64_t slack_ns) const;

 private:
  mutable std::mutex mutex_;
  std::map<std::int64_t, std::vector<StoppedSpan>> stops_;  // in order; the last may be open
};

enum class SpareStart : std::uint8_t { at_once, waits };

// The client processes of a running trial: where each was started, which a fault ended, and signals from faults. Faults
// call it from their own threads, concurrently with the runner.
class ClientRoster {
 public:
  ClientRoster(SharedPage& page, TrialLab& lab, const Plan& plan, RequestRelay& requests);

  void start(const ClientPlan& client);
  std::uint32_t started() const { return started_.load(); }
  Process& process(std::uint32_t client) { return *processes_.at(client); }
  bool ready(std::uint32_t client) const { return page_.clients.at(client).ready.load() != 0; }
  bool ended_by_fault(std::uint32_t client) const { return ended_.at(client).load(); }
  std::uint32_t node_number(std::uint32_t client) const { return nodes_.at(client); }
  const Node& node(std::uint32_t client) const { return lab_.client_node(node_number(client)); }
  std::vector<Event> told();  // kills, with the time of the call

  // For faults. A lock in a separate program gets the signal with its client.
  bool signal(std::uint32_t client, int number);
  std::optional<std::int64_t> stopped_at_ns(std::uint32_t client) const;  // as in Process, for both together
  char state(std::uint32_t client);                                       // the same
  void kill(std::uint32_t client, const std::string& why = "SIGKILL");
  // Returns nothing if the plan has no spare left. A waiting spare begins its load when released.
  std::optional<std::uint32_t> start_spare(std::uint32_t node, SpareStart how);
  void let_begin(std::uint32_t client) { page_.clients.at(client).held_back.store(0); }
  bool working(std::uint32_t client) const { return page_.clients.at(client).heartbeat.beat_ns.load() > 0; }
  bool asked(std::uint32_t client) const { return current_operation(page_.clients.at(client)) != 0; }

  std::vector<std::uint32_t> where(const std::function<bool(const ClientSlot&)>& test) const;  // among those not ended
  PlannedStops& planned_stops() { return stops_; }  // by number of client or server

 private:
  void signal_lock(std::uint32_t client, int number);

  ControlPage& page_;
  int page_descriptor_;
  TrialLab& lab_;
  const Plan& plan_;
  RequestRelay& requests_;
  std::vector<std::optional<Process>> processes_;  // by client; never resized, so that threads may read during a start
  std::vector<std::uint32_t> nodes_;               // by client
  std::array<std::atomic<bool>, kClientSlots> ended_{};
  std::atomic<std::uint32_t> started_{0};
  std::mutex mutex_;
  std::vector<Event> told_;
  PlannedStops stops_;
  mutable std::optional<RemotePrograms> remote_;  // if clients' programs run on other hosts
};

}  // namespace holdfast
