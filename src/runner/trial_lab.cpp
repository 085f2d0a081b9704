#include "runner/trial_lab.hpp"

#include <sys/stat.h>
#include <algorithm>
#include <cerrno>
#include <cstring>

#include "artifact/error.hpp"
#include "lab/mariadb.hpp"
#include "nemesis/fault.hpp"

namespace holdfast {
namespace {

constexpr int kPageDescriptor = 3;
constexpr std::size_t kLockNode = 0;
constexpr const char* kResourceLog = "/server-resource.log";
constexpr std::size_t kRunnerConnections = 20;
constexpr std::size_t kServerFiles = 420;  // with fewer for its tables the server takes fewer connections

void make_folder(const std::string& path) {
  if (::mkdir(path.c_str(), 0755) != 0) throw HarnessError(path + ": " + system_text(errno));
}

}  // namespace

TrialLab::TrialLab(const std::string& folder, const Plan& plan, const std::optional<Target>& target)
    : folder_(folder),
      plan_(plan),
      target_(target),
      network_(folder + "/lab.log"),
      stores_(trial_address(kResourceAddress)) {}

bool TrialLab::struck() const {
  return std::any_of(plan_.faults.begin(), plan_.faults.end(),
                     [](const FaultSpec& spec) { return strikes_servers(spec); });
}

// Each thread of a client has one to the lock service and one to the resource.
std::size_t TrialLab::connections() const {
  return 2 * plan_.clients.size() * static_cast<std::size_t>(plan_.load.threads) + kRunnerConnections;
}

ServerPlace TrialLab::place_of_lock_server() {
  if (std::any_of(plan_.faults.begin(), plan_.faults.end(),
                  [](const FaultSpec& spec) { return struck_by(spec) == Strikes::server_clocks; })) {
    server_clock_ = std::make_unique<ServerClock>();
  }
  std::vector<int> networks;
  for (std::uint32_t s = 0; s < servers(); ++s) networks.push_back(server_node(s).descriptor);
  return {folder_,       network_.node(kLockNode).descriptor,
          connections(), server_clock_.get(),
          plan_.server,  has_replica() ? replica_node().descriptor : -1,
          networks};
}

bool TrialLab::has_replica() const {
  return plan_.server.topology == "replica" || plan_.server.topology == "redis_replica";
}

std::uint32_t TrialLab::servers() const {
  return servers_of(plan_.server.topology);
}

std::string TrialLab::lock_address(std::uint32_t client) const {
  return kServerAddresses[server_of_client(plan_.server.topology, plan_.load, client)];
}

Cluster& TrialLab::cluster() {
  if (Cluster* found = lock_server_->cluster()) return *found;
  throw HarnessError("this topology has no cluster");
}

Replication& TrialLab::replication(std::uint32_t) {
  if (Replication* found = lock_server_->replication()) return *found;
  throw HarnessError("this topology has no replica");
}

const Node& TrialLab::client_node(std::uint32_t number) const {
  if (target_) throw HarnessError("there are no nodes on a target: this fault needs a lab's network");
  return network_.node(number + 1);
}

void TrialLab::start() {
  if (target_) return start_on_target();
  // Its own descriptors (a network and a process a client) are fewer than what the server asks for.
  allow_open_files(connections() + kServerFiles);
  const bool apart = struck() || has_replica() || servers() > 1 || !serves_resource(plan_.lock);
  std::vector<std::string> addresses{kLockAddress};
  if (!apart) addresses.push_back(kResourceAddress);
  network_.add_node("db", addresses, true);
  std::uint32_t nodes = 0;
  for (const auto& client : plan_.clients) nodes = std::max(nodes, client.node + 1);
  next_host_ = nodes;
  for (const auto& fault : plan_.faults) nodes += wants_host(fault) ? 1 : 0;
  end_of_hosts_ = nodes;
  for (std::uint32_t n = 0; n < nodes; ++n) {
    network_.add_node("n" + std::to_string(n), {Network::client_address(n)});
  }
  for (std::uint32_t s = 1; s < servers(); ++s) {
    more_servers_.push_back(network_.add_node("db" + std::to_string(s), {kServerAddresses[s]}, true));
  }
  if (has_replica()) replica_node_ = network_.add_node("replica", {kReplicaAddress}, true);
  if (apart) start_resource_server(network_.add_node("resource", {kResourceAddress}, true));
  // The servers make their files while the links are made; those of a cluster listen at their addresses at once.
  make_folder(folder_ + "/lab/db");
  lock_server_ = make_lock_server(plan_.lock, place_of_lock_server());
  if (servers() > 1) network_.up();
  for (TrialServer* server : lock_server_->processes()) server->start();
  if (servers() == 1) network_.up();
  wait_for_servers();
  make_trial_database(trial_address(kResourceAddress));
  stores_.prepare(plan_);
  if (struck()) lock_server_->prepare_marks();
  server_version_ = lock_server_->version();
}

std::optional<std::uint32_t> TrialLab::next_host() {
  if (next_host_ == end_of_hosts_) return std::nullopt;
  return next_host_++;
}

void TrialLab::start_resource_server(std::size_t node) {
  ServerSpec spec;
  spec.data = folder_ + "/lab/resource";
  spec.log = folder_ + kResourceLog;
  spec.network = network_.node(node).descriptor;
  spec.connections = connections();
  make_folder(spec.data);
  resource_server_ = std::make_unique<TrialServer>([spec] { return start_mariadb(spec); });
  resource_server_->start();
}

void TrialLab::wait_for_servers() {
  lock_server_->prepare(plan_.lock);
  if (!resource_server_) return;
  resource_server_->when_started([this](Process& process) {
    wait_for_answer(kResourceAddress, kMySqlDoor, process, folder_ + kResourceLog, kServerStart_ms);
  });
}

Process TrialLab::start_client(const ClientPlan& client, int page_descriptor) {
  const std::string address =
      target_ ? Network::client_address(client.node) : client_node(client.node).addresses.front();
  const std::string number = std::to_string(client.client);
  Spawn spawn;
  spawn.argv = {own_program(),     "client",
                "--folder",        folder_,
                "--client",        number,
                "--page",          std::to_string(kPageDescriptor),
                "--lock-host",     lock_address(client.client),
                "--resource-host", kResourceAddress,
                "--address",       address,
                "--seed",          std::to_string(client.seed)};
  if (has_replica()) spawn.argv.insert(spawn.argv.end(), {"--replica-host", kReplicaAddress});
  spawn.descriptors[kPageDescriptor] = page_descriptor;
  spawn.log = folder_ + "/client-" + number + ".log";
  if (target_) return spawn_process(client_on_target(std::move(spawn)));
  spawn.network = client_node(client.node).descriptor;
  return spawn_process(spawn);
}

void TrialLab::watch() {
  for (TrialServer* server : lock_server_->processes()) server->watch();
  if (resource_server_) resource_server_->watch();
}

void TrialLab::stop() {
  for (TrialServer* server : lock_server_->processes()) server->stop();
  if (resource_server_) resource_server_->stop();
}

}  // namespace holdfast
