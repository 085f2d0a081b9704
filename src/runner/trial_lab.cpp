#include "runner/trial_lab.hpp"

#include <algorithm>
#include <csignal>

#include "artifact/error.hpp"
#include "lab/mariadb.hpp"

namespace holdfast {
namespace {

constexpr int kServerStart_ms = 20'000;
constexpr int kServerEnd_ms = 2'000;
constexpr int kPageDescriptor = 3;
constexpr std::size_t kRunnerConnections = 20;
constexpr std::size_t kServerFiles = 420;  // with fewer for its tables the server takes fewer connections

}  // namespace

TrialLab::TrialLab(const std::string& folder, const Plan& plan)
    : folder_(folder), plan_(plan), network_(folder + "/lab.log"), stores_(kLockAddress, kResourceAddress) {}

// Each client has one to the lock service and one to the resource.
std::size_t TrialLab::connections() const {
  return 2 * plan_.clients.size() + kRunnerConnections;
}

void TrialLab::start() {
  // Its own descriptors (a network and a process a client) are fewer than what the server asks for.
  allow_open_files(connections() + kServerFiles);
  const std::size_t db = network_.add_node("db", {kLockAddress, kResourceAddress}, true);
  std::uint32_t nodes = 0;
  for (const auto& client : plan_.clients) nodes = std::max(nodes, client.node + 1);
  for (std::uint32_t n = 0; n < nodes; ++n) {
    network_.add_node("n" + std::to_string(n), {Network::client_address(n)});
  }
  // The server makes its files while the links are made.
  const ServerSpec spec{folder_ + "/lab", folder_ + "/server.log", network_.node(db).descriptor, connections()};
  server_ = start_mariadb(spec);
  network_.up();
  wait_for_greeting(kLockAddress, kServerPort, server_, spec.log, kServerStart_ms);
  stores_.prepare(plan_);
}

Process TrialLab::start_client(const ClientPlan& client, int page_descriptor) {
  const Node& node = client_node(client.node);
  const std::string number = std::to_string(client.client);
  Spawn spawn;
  spawn.argv = {own_program(),     "client",
                "--folder",        folder_,
                "--client",        number,
                "--page",          std::to_string(kPageDescriptor),
                "--lock-host",     kLockAddress,
                "--resource-host", kResourceAddress,
                "--address",       node.addresses.front(),
                "--seed",          std::to_string(client.seed)};
  spawn.network = node.descriptor;
  spawn.descriptors[kPageDescriptor] = page_descriptor;
  spawn.log = folder_ + "/client-" + number + ".log";
  return spawn_process(spawn);
}

void TrialLab::watch() {
  if (const auto code = server_.wait(0)) throw HarnessError("the server ended with code " + std::to_string(*code));
}

void TrialLab::stop() {
  server_.signal(SIGKILL);
  server_.wait(kServerEnd_ms);
}

}  // namespace holdfast
