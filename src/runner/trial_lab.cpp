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

}  // namespace

TrialLab::TrialLab(const std::string& folder, const Plan& plan)
    : folder_(folder),
      plan_(plan),
      network_(folder + "/lab.log"),
      stores_(kResourceAddress),
      lock_server_(make_lock_server(plan)) {}

void TrialLab::start() {
  const std::size_t db = network_.add_node("db", {kLockAddress, kResourceAddress});
  std::uint32_t nodes = 0;
  for (const auto& client : plan_.clients) nodes = std::max(nodes, client.node + 1);
  for (std::uint32_t n = 0; n < nodes; ++n) {
    network_.add_node("n" + std::to_string(n), {Network::client_address(n)});
  }
  // The servers make their files while the links are made.
  const ServerSpec spec{folder_ + "/lab", folder_ + "/server.log", network_.node(db).descriptor};
  server_ = start_mariadb(spec);
  lock_server_->start({folder_, network_.node(db).descriptor});
  network_.up();
  wait_for_greeting(kLockAddress, kServerPort, server_, spec.log, kServerStart_ms);
  stores_.prepare(plan_);
  lock_server_->prepare(plan_.lock);
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
  lock_server_->watch();
}

void TrialLab::stop() {
  lock_server_->stop();
  server_.signal(SIGKILL);
  server_.wait(kServerEnd_ms);
}

}  // namespace holdfast
