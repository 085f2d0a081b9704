#include "servers/mysql/galera_server.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <string_view>

#include "artifact/error.hpp"
#include "artifact/json_text.hpp"
#include "artifact/poll_until.hpp"
#include "servers/mysql/lab_address.hpp"
#include "servers/mysql/start_mariadb.hpp"

namespace holdfast {

std::string_view embedded_transfer(std::string_view name);

namespace {

constexpr const char* kGroup = "6f1c0000-0000-11ee-8000-000000000001";
constexpr const char* kTransfer = "wsrep_sst_holdfast";
constexpr const char* kLibraries[] = {"/usr/lib/galera/libgalera_smm.so", "/usr/lib64/galera-4/libgalera_smm.so"};

// A node is suspected after 1.2 s of silence and removed after 1.6 s; the others then agree on a group without it.
constexpr const char* kPatience =
    "evs.keepalive_period=PT0.3S;evs.inactive_check_period=PT0.25S;evs.suspect_timeout=PT1.2S;"
    "evs.inactive_timeout=PT1.6S;evs.install_timeout=PT1.6S;gmcast.peer_timeout=PT1S";

struct GaleraCluster {
  std::vector<std::string> addresses;  // of the nodes
  std::string tools;                   // a new folder for programs that the servers call
};

std::string library() {
  for (const char* path : kLibraries) {
    if (::access(path, R_OK) == 0) return path;
  }
  throw Unavailable("topology galera needs libgalera_smm.so; remedy: apt-get install galera-4");
}

void make_folder(const std::string& path) {
  if (::mkdir(path.c_str(), 0755) != 0) throw HarnessError(path + ": " + system_text(errno));
}

std::string identity(std::size_t node) {
  return "0000000" + std::to_string(node + 1) + "-0000-11ee-8000-000000000001";
}

std::string state_file() {
  return std::string("# GALERA saved state\nversion: 2.1\nuuid:    ") + kGroup + "\nseqno:   0\nsafe_to_bootstrap: 0\n";
}

// State file: the group of this node when it ended, with all nodes.
std::string group_file(std::size_t nodes, std::size_t self) {
  std::string text = "my_uuid: " + identity(self) + "\n#vwbeg\nview_id: 3 " + identity(0) + " 1\nbootstrap: 0\n";
  for (std::size_t n = 0; n < nodes; ++n) text += "member: " + identity(n) + " 0\n";
  return text + "#vwend\n";
}

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const auto& word : words) out += (out.empty() ? "" : ",") + word;
  return out;
}

constexpr int kGaleraStart_ms = 30'000;
constexpr int kJoinLook_ms = 20;
constexpr std::uint32_t kNodes = 3;

std::string which(std::uint32_t node) {
  return node == 0 ? "" : "-" + std::to_string(node);
}

std::string node_log(const std::string& folder, std::uint32_t node) {
  return trial_log(folder, which(node));
}

GaleraCluster cluster_in(const std::string& folder) {
  return {{std::begin(kServerAddresses), std::begin(kServerAddresses) + kNodes}, folder + "/lab/galera"};
}

// Writes the node's files to its data directory, and adds its server's options.
void join_galera(const GaleraCluster& cluster, std::size_t node, ServerSpec& spec) {
  const std::string& address = cluster.addresses.at(node);
  make_folder(spec.data + "/mysql");  // the cluster keeps its own tables there
  write_text_file(spec.data + "/grastate.dat", state_file());
  write_text_file(spec.data + "/gvwstate.dat", group_file(cluster.addresses.size(), node));
  spec.more = {"--binlog-format=ROW",
               "--innodb-autoinc-lock-mode=2",
               "--wsrep-on=ON",
               "--wsrep-provider=" + library(),
               "--wsrep-cluster-name=holdfast",
               "--wsrep-cluster-address=gcomm://" + joined(cluster.addresses),
               "--wsrep-node-address=" + address,
               "--wsrep-node-name=" + address,
               "--wsrep-sst-method=holdfast",
               "--wsrep-provider-options=gmcast.listen_addr=tcp://" + address + ":4567;ist.recv_addr=" + address +
                   ":4568;gcache.size=4M;" + kPatience};
  const char* path = std::getenv("PATH");
  spec.environment["PATH"] = cluster.tools + ":" + (path == nullptr ? "/usr/bin:/bin" : path);
}

Process start_node(const ServerConfig& config, std::uint32_t node) {
  ServerSpec spec = trial_spec(config, which(node), config.networks.at(node));
  join_galera(cluster_in(config.folder), node, spec);
  return start_mariadb(spec);
}

MySqlConnection server(std::uint32_t node) {
  MySqlAddress address;
  address.host = kServerAddresses[node];
  address.timeout_s = 5;
  return MySqlConnection(address);
}

void make_galera_tools(const GaleraCluster& cluster) {
  make_folder(cluster.tools);
  const std::string path = cluster.tools + "/" + kTransfer;
  write_text_file(path, std::string(embedded_transfer(std::string(kTransfer) + ".sh")));
  if (::chmod(path.c_str(), 0755) != 0) throw HarnessError(path + ": " + system_text(errno));
}

}  // namespace

GaleraServer::GaleraServer(const ServerConfig& config)
    : MySqlLockServer(config, [config] { return start_node(config, 0); }), folder_(config.folder) {
  make_galera_tools(cluster_in(config.folder));
  for (std::uint32_t n = 1; n < kNodes; ++n) {
    others_.push_back(std::make_unique<TrialServer>([config, n] { return start_node(config, n); }));
  }
}

std::vector<TrialServer*> GaleraServer::processes() {
  std::vector<TrialServer*> out{&process()};
  for (const auto& other : others_) out.push_back(other.get());
  return out;
}

// A server of a cluster greets once it is a member. Reading from another one with wsrep_sync_wait returns only after it
// has applied everything the first had done.
void GaleraServer::prepare(const StatementFile& statements) {
  const auto servers = processes();
  for (std::uint32_t n = 0; n < kNodes; ++n) {
    servers[n]->when_started([&](Process& process) {
      wait_for_answer(kServerAddresses[n], kMySqlProbe, process, node_log(folder_, n), kGaleraStart_ms);
    });
  }
  wait_until_whole();
  MySqlLockServer::prepare(statements);
  for (std::uint32_t n = 1; n < kNodes; ++n) {
    MySqlConnection db = server(n);
    must_run(db, "SET SESSION wsrep_sync_wait = 15");
    must_run(db,
             std::string("SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = '") + kDatabase + "'");
  }
}

void GaleraServer::wait_until_whole() {
  const auto whole = [this] {
    for (std::uint32_t n = 0; n < kNodes; ++n) {
      const auto view = view_of(n);
      if (!view || !view->serves || view->members != kNodes) return false;
    }
    return true;
  };
  if (poll_until(whole, kJoinLook_ms, after_ms(kGaleraStart_ms))) return;
  throw HarnessError("the servers did not become one cluster; see " + node_log(folder_, 0));
}

std::string GaleraServer::version() {
  return MySqlLockServer::version() + " (Galera, 3 nodes)";
}

std::optional<ClusterView> GaleraServer::view_of(std::uint32_t number) {
  try {
    MySqlConnection db = server(number);
    const Reply size = db.query("SHOW STATUS LIKE 'wsrep_cluster_size'");
    const Reply ready = db.query("SHOW STATUS LIKE 'wsrep_ready'");
    const Reply changes = db.query("SHOW STATUS LIKE 'wsrep_cluster_conf_id'");
    for (const Reply* reply : {&size, &ready, &changes}) {
      if (!reply->ok() || reply->rows.empty()) return std::nullopt;
    }
    return ClusterView{static_cast<std::uint32_t>(std::stoul(size.field(0, 1).value_or("0"))),
                       ready.field(0, 1).value_or("") == "ON", std::stoull(changes.field(0, 1).value_or("0"))};
  } catch (const StatementFailed&) {
    return std::nullopt;
  }
}

}  // namespace holdfast
