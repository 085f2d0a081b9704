// The client processes of a running trial, and when faults had stopped one.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "artifact/plan.hpp"
#include "control/control_page.hpp"
#include "history/event.hpp"
#include "hosts/remote_programs.hpp"
#include "lab/process.hpp"
#include "runner/request_relay.hpp"
#include "runner/trial_lab.hpp"

namespace holdfast {

// When faults had stopped a process: what is left of a stretch in which it did not run was done from outside.
// Safe to use from several threads.
struct StoppedSpan {
  std::int64_t from_ns = 0;  // of CLOCK_MONOTONIC
  std::int64_t to_ns = 0;
};

// The number of a server, beside those of clients.
constexpr std::int64_t number_of_server(std::uint32_t server) {
  return -1 - static_cast<std::int64_t>(server);
}

class PlannedStops {
 public:
  // A fault sent SIGSTOP or SIGCONT (others change nothing), `number` being the process's own in this object.
  void signalled(std::int64_t number, int signal, std::int64_t now_ns);

  // The parts of the stretch in which no fault had stopped the process. A stop lasts for `slack_ns` beyond its end: one
  // that is let go on does not run at that very moment.
  std::vector<StoppedSpan> others(std::int64_t number, StoppedSpan stretch, std::int64_t slack_ns) const;

 private:
  mutable std::mutex mutex_;
  std::map<std::int64_t, std::vector<StoppedSpan>> stops_;  // in order; the last may be open
};

enum class SpareStart : std::uint8_t { at_once, waits };

// The client processes of a running trial: who was started where, who was ended by a fault, and what faults did to
// them. Faults call it from threads of their own, beside the runner.
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

  // Of a fault. A lock that is a program of its own gets it with its client.
  bool signal(std::uint32_t client, int number);
  std::optional<std::int64_t> stopped_at_ns(std::uint32_t client) const;  // as Process has it, of both together
  char state(std::uint32_t client);                                       // the same
  void kill(std::uint32_t client);
  // Nothing when the plan has no spare left. One that waits begins its load when it is let.
  std::optional<std::uint32_t> start_spare(std::uint32_t node, SpareStart how);
  void let_begin(std::uint32_t client) { page_.clients.at(client).held_back.store(0); }
  bool working(std::uint32_t client) const { return page_.clients.at(client).heartbeat.beat_ns.load() > 0; }
  bool asked(std::uint32_t client) const { return current_operation(page_.clients.at(client)) != 0; }

  std::vector<std::uint32_t> where(const std::function<bool(const ClientSlot&)>& test) const;  // of those not ended
  PlannedStops& planned_stops() { return stops_; }  // of clients, by their numbers, and of servers, by others

 private:
  void signal_lock(std::uint32_t client, int number);

  ControlPage& page_;
  int page_descriptor_;
  TrialLab& lab_;
  const Plan& plan_;
  RequestRelay& requests_;
  std::vector<std::optional<Process>> processes_;  // by client; made once, so that threads may read beside a start
  std::vector<std::uint32_t> nodes_;               // by client
  std::array<std::atomic<bool>, kClientSlots> ended_{};
  std::atomic<std::uint32_t> started_{0};
  std::mutex mutex_;
  std::vector<Event> told_;
  PlannedStops stops_;
  mutable std::optional<RemotePrograms> remote_;  // where clients' programs run on other hosts
};

}  // namespace holdfast
