// The network of a client's node: rules that drop packets, and probes.
#pragma once

#include "nemesis/capabilities/client_network.hpp"
#include "runner/client_roster.hpp"

namespace holdfast {

class LabClientNetwork : public ClientNetwork {
 public:
  LabClientNetwork(ClientRoster& roster, TrialLab& lab, const Plan& plan) : roster_(roster), lab_(lab), plan_(plan) {}

  void filter(std::uint32_t client, const std::string& rules) override {
    lab_.network().filter(roster_.node(client), rules);
  }
  std::int64_t packets_dropped(std::uint32_t client) const override {
    return lab_.network().dropped(roster_.node(client));
  }
  bool reaches(std::uint32_t client, const std::string& address) const override;
  std::vector<std::string> addresses(const std::string& cut) const override;

 private:
  ClientRoster& roster_;
  TrialLab& lab_;
  const Plan& plan_;
};

}  // namespace holdfast
