// The clients' processes, which the roster holds.
#pragma once

#include "nemesis/capabilities/client_processes.hpp"
#include "runner/client_roster.hpp"

namespace holdfast {

class LabClientProcesses : public ClientProcesses {
 public:
  explicit LabClientProcesses(ClientRoster& roster) : roster_(roster) {}

  bool signal(std::uint32_t client, int number) override { return roster_.signal(client, number); }
  ProcessState state(std::uint32_t client) const override { return process_state(roster_.process(client).state()); }
  std::optional<std::int64_t> stopped_at_ns(std::uint32_t client) const override {
    return roster_.stopped_at_ns(client);
  }
  void kill(std::uint32_t client) override { roster_.kill(client); }

 private:
  ClientRoster& roster_;
};

}  // namespace holdfast
