// The processes of the lock's servers.
#pragma once

#include "nemesis/capabilities/server_processes.hpp"
#include "runner/planned_stops.hpp"
#include "runner/trial_lab.hpp"

namespace holdfast {

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

}  // namespace holdfast
