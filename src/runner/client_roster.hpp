// The client processes of a running trial: who was started where, who was ended by a fault, and what faults did to
// them. Faults call it from threads of their own, beside the runner.
#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <mutex>
#include <optional>
#include <vector>

#include "artifact/plan.hpp"
#include "control/control_page.hpp"
#include "history/event.hpp"
#include "lab/process.hpp"
#include "runner/planned_stops.hpp"
#include "runner/trial_lab.hpp"

namespace holdfast {

class ClientRoster {
 public:
  ClientRoster(SharedPage& page, TrialLab& lab, const Plan& plan);

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
  void kill(std::uint32_t client);
  std::optional<std::uint32_t> start_spare(std::uint32_t node);  // nothing when the plan has none left

  std::vector<std::uint32_t> where(const std::function<bool(const ClientSlot&)>& test) const;  // of those not ended
  PlannedStops& planned_stops() { return stops_; }  // of clients, by their numbers, and of servers, by others

 private:
  void signal_lock(std::uint32_t client, int number) const;

  ControlPage& page_;
  int page_descriptor_;
  TrialLab& lab_;
  const Plan& plan_;
  std::vector<std::optional<Process>> processes_;  // by client; made once, so that threads may read beside a start
  std::vector<std::uint32_t> nodes_;               // by client
  std::array<std::atomic<bool>, kClientSlots> ended_{};
  std::atomic<std::uint32_t> started_{0};
  std::mutex mutex_;
  std::vector<Event> told_;
  PlannedStops stops_;
};

}  // namespace holdfast
