#include "servers/mysql/galera_server.hpp"

#include <iterator>

#include "artifact/error.hpp"
#include "artifact/poll_until.hpp"
#include "servers/mysql/galera.hpp"
#include "servers/mysql/lab_address.hpp"
#include "servers/mysql/trial_spec.hpp"

namespace holdfast {
namespace {

constexpr int kGaleraStart_ms = 30'000;
constexpr int kJoinLook_ms = 20;
constexpr std::uint32_t kNodes = std::size(kServerAddresses);

std::string which(std::uint32_t node) {
  return node == 0 ? "" : "-" + std::to_string(node);
}

std::string node_log(const std::string& folder, std::uint32_t node) {
  return trial_log(folder, which(node));
}

GaleraCluster cluster_in(const std::string& folder) {
  return {{std::begin(kServerAddresses), std::end(kServerAddresses)}, folder + "/lab/galera"};
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

// A server of a cluster greets once it belongs to it. Whoever asks one of the others with wsrep_sync_wait hears only
// when it has done all that the first had done.
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
