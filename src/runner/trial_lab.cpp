#include "runner/trial_lab.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "artifact/error.hpp"
#include "hosts/host_list.hpp"
#include "lock/added_locks.hpp"
#include "nemesis/fault.hpp"

namespace holdfast {
namespace {

constexpr int kPageDescriptor = 3;
constexpr const char* kResourceLog = "/server-resource.log";
constexpr std::size_t kRunnerConnections = 20;
constexpr std::size_t kServerFiles = 420;  // with fewer for its tables the server accepts fewer connections

void make_folder(const std::string& path) {
  if (::mkdir(path.c_str(), 0755) != 0) throw HarnessError(path + ": " + system_text(errno));
}

const Topology& topology_of(const ServerType& type, const std::string& name) {
  if (const Topology* found = type.topology(name)) return *found;
  throw HarnessError(std::string(type.title) + " has no topology '" + name + "'");
}

constexpr int kFolderDescriptor = 4;  // of a client

}  // namespace

ClusterWatch::ClusterWatch(const std::vector<FaultSpec>& faults, LockServer& server) : cluster_(server.cluster()) {
  const auto strikes = [](const FaultSpec& spec) { return strikes_servers(spec); };
  if (std::any_of(faults.begin(), faults.end(), strikes)) cluster_ = nullptr;
  if (cluster_ != nullptr) before_ = changes();
}

std::uint64_t ClusterWatch::changes() {
  const auto view = cluster_->view_of(0);
  if (!view) throw HarnessError("the first server of the cluster does not report the members");
  return view->changes;
}

std::optional<std::string> ClusterWatch::fell_apart() {
  if (cluster_ == nullptr) return std::nullopt;
  const std::uint64_t times = changes() - before_;
  if (times == 0) return std::nullopt;
  return "the cluster's membership changed " + std::to_string(times) +
         " times although no fault of the plan divides it; the machine may be too busy for a cluster; remedy: fewer "
         "--jobs";
}

TrialLab::TrialLab(const std::string& folder, const Plan& plan, const std::optional<Target>& target,
                   const std::vector<std::string>& hosts, TimeMode time)
    : folder_(folder),
      plan_(plan),
      target_(target),
      hosts_(hosts),
      skips_time_(time == TimeMode::skipped),
      network_(folder + "/lab.log"),
      type_(server_type(find_entry(locks(), parse_lock_ref(plan.lock).lock)->server)),
      resource_type_(resource_type(type_)),
      topology_(topology_of(type_, plan.server.topology)) {}

bool TrialLab::struck() const {
  return std::any_of(plan_.faults.begin(), plan_.faults.end(),
                     [](const FaultSpec& spec) { return strikes_servers(spec); });
}

// Each thread of a client has one to the lock service and one to the resource.
std::size_t TrialLab::connections() const {
  return 2 * plan_.clients.size() * static_cast<std::size_t>(plan_.load.threads) + kRunnerConnections;
}

bool TrialLab::strikes(Capability what) const {
  return std::any_of(plan_.faults.begin(), plan_.faults.end(),
                     [what](const FaultSpec& spec) { return fault_type(spec).uses(what); });
}

void TrialLab::make_disks() {
  if (!strikes(Capability::server_disks)) return;
  for (std::uint32_t s = 0; s < servers(); ++s) {
    const std::string number = std::to_string(s);
    disks_.push_back(
        std::make_unique<ServerDisk>(folder_ + "/lab/disk-" + number, folder_ + "/disk-" + number + ".log"));
  }
}

ServerConfig TrialLab::config_of_lock_server() {
  if (!type_.vdso_clock && strikes(Capability::server_clocks)) {
    for (std::uint32_t s = 0; s < servers(); ++s) server_clocks_.push_back(std::make_unique<ServerClock>());
  }
  make_disks();
  std::vector<std::string> disks;
  for (const auto& disk : disks_) disks.push_back(disk->folder());
  std::vector<int> networks;
  for (std::uint32_t s = 0; s < servers(); ++s) networks.push_back(server_node(s).descriptor);
  std::vector<const ServerClock*> clocks;
  for (const auto& clock : server_clocks_) clocks.push_back(clock.get());
  return {folder_,       network_.node(kLockNode).descriptor,
          connections(), clocks.empty() ? nullptr : clocks.front(),
          plan_.server,  topology_.replica ? replica_node().descriptor : -1,
          networks,      parse_lock_ref(plan_.lock).variant,
          clocks,        disks};
}

std::string TrialLab::lock_address(std::uint32_t client) const {
  return kServerAddresses[server_of_client(topology_.servers, plan_.load, client)];
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
  if (target_) throw HarnessError("a target has no nodes: this fault needs a lab's network");
  return network_.node(number + 1);
}

void TrialLab::start() {
  if (target_) return start_on_target();
  if (const std::string why = type_.missing(); !why.empty()) throw Unavailable(why);
  if (type_.start == nullptr) throw Unavailable(std::string(type_.title) + " cannot be started in a lab");
  // Its own descriptors (a network and a process per client) are fewer than what the server asks for.
  allow_open_files(connections() + kServerFiles);
  const bool apart = struck() || topology_.replica || servers() > 1 || !type_.holds_resource();
  std::vector<std::string> addresses{kLockAddress};
  std::vector<std::string> resource_addresses{kResourceAddress};
  if (skips_time_) {
    network_.tell_cuts(folder_ + kCutLinksFile);
    resource_addresses.push_back(kCanaryAddress);
  }
  if (!apart) addresses.insert(addresses.end(), resource_addresses.begin(), resource_addresses.end());
  network_.add_node("db", addresses, true);
  std::uint32_t nodes = 0;
  for (const auto& client : plan_.clients) nodes = std::max(nodes, client.node + 1);
  next_host_ = nodes;
  for (const auto& fault : plan_.faults) nodes += fault_type(fault).uses(Capability::spare_hosts) ? 1 : 0;
  end_of_hosts_ = nodes;
  for (std::uint32_t n = 0; n < nodes; ++n) {
    network_.add_node("n" + std::to_string(n), {Network::client_address(n)});
  }
  for (std::uint32_t s = 1; s < servers(); ++s) {
    more_servers_.push_back(network_.add_node("db" + std::to_string(s), {kServerAddresses[s]}, true));
  }
  if (topology_.replica) replica_node_ = network_.add_node("replica", {kReplicaAddress}, true);
  if (apart) {
    resource_node_ = network_.add_node("resource", resource_addresses, true);
    start_resource_server(
        {folder_ + "/lab/resource", folder_ + kResourceLog, network_.node(resource_node_).descriptor});
  }
  // Servers create their files while the links are made; those of a cluster listen at their addresses immediately.
  lock_server_ = type_.start(config_of_lock_server());
  if (servers() > 1) network_.up();
  for (TrialServer* server : lock_server_->processes()) server->start();
  if (servers() == 1) network_.up();
  lock_server_->prepare(lock_file(parse_lock_ref(plan_.lock).lock));
  make_resource({kResourceAddress, "", {}});
  if (struck()) lock_server_->prepare_canaries();
  server_version_ = lock_server_->version();
  // As if it had run for a while: its initial data is on the disk.
  for (const auto& disk : disks_) disk->sync_all();
}

// Not from a client's node if faults take those off the network.
std::unique_ptr<TimeCanary> TrialLab::start_canary() const {
  const Node& answers = network_.node(resource_node_);
  const Node& asks = strikes(Capability::spare_hosts) ? answers : client_node(0);
  return std::make_unique<TimeCanary>(asks, answers, kCanaryAddress);
}

std::optional<std::uint32_t> TrialLab::next_host() {
  if (next_host_ == end_of_hosts_) return std::nullopt;
  return next_host_++;
}

void TrialLab::start_resource_server(ResourceServer server) {
  server.connections = connections();
  make_folder(server.data);
  resource_server_ = std::make_unique<TrialServer>([this, server] { return resource_type_.resource.start(server); });
  resource_server_->start();
}

void TrialLab::make_resource(const ResourceAccess& access) {
  resource_ = resource_type_.resource.open(access);
  if (resource_server_) {
    resource_server_->when_started([this](Process& process) { resource_->wait_for(process, folder_ + kResourceLog); });
  }
  if (!access.target) resource_->make_database();
  resource_->prepare(plan_.load.keys);
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
  const auto adapter = added_lock_words(parse_lock_ref(plan_.lock).lock);
  spawn.argv.insert(spawn.argv.end(), adapter.begin(), adapter.end());
  if (strikes(Capability::client_clocks)) spawn.argv.emplace_back("--wall-is-asked");
  if (topology_.replica) spawn.argv.insert(spawn.argv.end(), {"--replica-host", kReplicaAddress});
  for (std::uint32_t s = 0; topology_.all_known && s < servers(); ++s) {
    spawn.argv.insert(spawn.argv.end(), {"--server-host", kServerAddresses.at(s)});
  }
  spawn.descriptors[kPageDescriptor] = page_descriptor;
  spawn.log = folder_ + "/client-" + number + ".log";
  if (target_) return spawn_process(client_on_target(std::move(spawn), client));
  spawn.network = client_node(client.node).descriptor;
  return spawn_process(spawn);
}

void TrialLab::watch() {
  for (TrialServer* server : lock_server_->processes()) server->watch();
  if (resource_server_) resource_server_->watch();
  for (const auto& disk : disks_) disk->watch();
}

void TrialLab::stop() {
  for (TrialServer* server : lock_server_->processes()) server->stop();
  if (resource_server_) resource_server_->stop();
}

void TrialLab::start_on_target() {
  lock_server_ = type_.on_target(*target_);
  lock_server_->prepare(lock_file(parse_lock_ref(plan_.lock).lock));
  if (type_.holds_resource()) {
    make_resource({"", "", target_});
  } else {
    const std::string data = folder_ + "/lab/resource";
    start_resource_server({data, folder_ + "/server-resource.log"});
    resource_folder_ = ::open(data.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
    make_resource({"", resource_type_.resource.socket(resource_folder_), {}});
  }
  server_version_ = lock_server_->version();
}

Spawn TrialLab::client_on_target(Spawn spawn, const ClientPlan& client) const {
  spawn.argv.insert(spawn.argv.end(), {"--target", target_->text()});
  if (resource_folder_ >= 0) {
    spawn.descriptors[kFolderDescriptor] = resource_folder_;
    spawn.argv.insert(spawn.argv.end(), {"--resource-socket", resource_type_.resource.socket(kFolderDescriptor)});
  }
  if (hosts_.empty()) return spawn;
  const std::string& there = hosts_.at(host_of_node(hosts_.size(), client.node));
  if (there != "-") {
    const HostServer server = host_server(there);
    spawn.argv.insert(spawn.argv.end(), {"--host-there", server.host, "--port-there", std::to_string(server.port)});
  }
  for (const auto& word : {own_program(), std::string("remote-pipe"), std::string("--folder=") + folder_,
                           "--client=" + std::to_string(client.client), "--node=" + std::to_string(client.node)}) {
    spawn.argv.push_back("--through=" + word);
  }
  return spawn;
}

}  // namespace holdfast
