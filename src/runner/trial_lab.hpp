// The world of one trial, as the runner builds it inside the lab's namespaces: nodes, the database server, the tables,
// and clients on their nodes.
#pragma once

#include <string>

#include "artifact/plan.hpp"
#include "lab/network.hpp"
#include "lab/process.hpp"
#include "runner/stores.hpp"

namespace holdfast {

class TrialLab {
 public:
  TrialLab(const std::string& folder, const Plan& plan);
  void start();  // until the server answers and the tables are there
  Process start_client(const ClientPlan& client, int page_descriptor);
  void watch();  // HarnessError when the server has ended
  void stop();   // ends the server, so that its processor time is counted
  Stores& stores() { return stores_; }
  const Process& server() const { return server_; }
  Network& network() { return network_; }
  const Node& client_node(std::uint32_t number) const { return network_.node(number + 1); }

 private:
  std::string folder_;
  const Plan& plan_;
  Network network_;
  Stores stores_;
  Process server_;
};

}  // namespace holdfast
