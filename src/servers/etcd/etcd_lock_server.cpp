#include "servers/etcd/etcd_lock_server.hpp"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "artifact/error.hpp"
#include "artifact/json_reader.hpp"
#include "artifact/poll_until.hpp"
#include "artifact/units.hpp"
#include "lab/network.hpp"

namespace holdfast {
namespace {

using nlohmann::json;

constexpr std::int64_t kAskServer_ms = 5'000;
constexpr std::int64_t kAskCluster_ms = 1'500;  // to a server that may be cut off, which answers after a second
constexpr std::int64_t kDate_ns = 1'000'000'000;
constexpr std::uint32_t kEtcdServers = 3;
constexpr int kWholeLook_ms = 20;
constexpr const char* kCanary = "/holdfast/canary";

std::uint32_t servers_in(const ServerConfig& config) {
  return config.settings.topology == "cluster" ? kEtcdServers : 1;
}

std::string etcd_log(const ServerConfig& config, std::uint32_t number) {
  return config.folder + "/etcd" + (number == 0 ? "" : "-" + std::to_string(number)) + ".log";
}

Process start_one(const ServerConfig& config, std::uint32_t number) {
  EtcdSpec spec;
  spec.data = config.place_of_data(number) + "/etcd-" + std::to_string(number);
  spec.log = etcd_log(config, number);
  spec.network = config.networks.at(number);
  spec.members = {std::begin(kServerAddresses), std::begin(kServerAddresses) + servers_in(config)};
  spec.number = number;
  return start_etcd(spec);
}

Reply run_at(const std::string& host, const EtcdCommand& command, std::int64_t timeout_ms) {
  EtcdConnection db({host, kEtcdPort, timeout_ms});
  db.connect();
  const EtcdCall call = etcd_call(command);
  const HttpAnswer answer = db.post(call.path, call.body);
  return etcd_reply(command, answer.status, answer.body);
}

// A server's status; empty: no answer.
std::optional<json> status_of(const std::string& host) {
  try {
    const HttpAnswer answer = EtcdConnection({host, kEtcdPort, kAskCluster_ms}).post("/v3/maintenance/status", "{}");
    if (answer.status != 200) return std::nullopt;
    return std::optional<json>(std::in_place, parse_json(answer.body, "the status of etcd at " + host));
  } catch (const StatementFailed&) {
    return std::nullopt;
  } catch (const BadInput&) {
    return std::nullopt;
  }
}

// The gateway writes integers as texts, and omits zeros.
std::string number_of_status(const json& status, const char* name) {
  const auto found = status.find(name);
  return found == status.end() || !found->is_string() ? "0" : found->get<std::string>();
}

std::optional<std::string> page(const std::string& host, const std::string& path) {
  try {
    const HttpAnswer answer = EtcdConnection({host, kEtcdPort, kAskCluster_ms}).get(path);
    return answer.status == 200 ? std::optional(answer.body) : std::nullopt;
  } catch (const StatementFailed&) {
    return std::nullopt;
  }
}

// "etcd_network_active_peers{Local="...",Remote="..."} 1", a line per reachable peer.
std::uint32_t active_peers(const std::string& metrics) {
  constexpr std::string_view kLine = "\netcd_network_active_peers{";
  std::uint32_t out = 0;
  for (auto at = metrics.find(kLine); at != std::string::npos; at = metrics.find(kLine, at + 1)) {
    const std::string line = metrics.substr(at + 1, metrics.find('\n', at + 1) - at - 1);
    if (line.ends_with("} 1")) ++out;
  }
  return out;
}

}  // namespace

EtcdServer::EtcdServer(const ServerConfig& config, std::uint32_t number)
    : LockServer([config, number] { return start_one(config, number); }),
      address_(kServerAddresses.at(number)),
      log_(etcd_log(config, number)) {}

void EtcdServer::prepare(const StatementFile&) {
  process().when_started(
      [this](Process& process) { wait_for_answer(address_, kEtcdProbe, process, log_, kServerStart_ms); });
}

std::string EtcdServer::version() {
  const auto status = status_of(address_);
  return "etcd" + (status && status->contains("version") ? " " + status->at("version").get<std::string>() : "");
}

std::string EtcdServer::cannot_end_connections() const {
  return "etcd cannot end a client's connection, and its leases do not depend on one";
}

void EtcdServer::end_connection(std::uint64_t, std::uint32_t) {
  throw HarnessError(cannot_end_connections());
}

bool EtcdServer::connection_alive(std::uint64_t, std::uint32_t) {
  throw HarnessError(cannot_end_connections());
}

void EtcdServer::leave_canary(std::int64_t n) {
  try {
    const Reply reply = run_at(address_, {{"put", kCanary, std::to_string(n)}, {}, {}, {}, {}}, kAskServer_ms);
    if (!reply.ok()) throw HarnessError("the canary cannot be written: " + reply.message);
  } catch (const StatementFailed& failed) {
    throw HarnessError(std::string("the canary cannot be written: ") + failed.what());
  }
}

std::optional<bool> EtcdServer::canary_kept(std::int64_t n) {
  try {
    const Reply reply = run_at(address_, {{"get", kCanary}, {}, {}, {}, {"value"}}, kAskCluster_ms);
    if (!reply.ok()) return std::nullopt;
    return !reply.rows.empty() && reply.text(0, 0) == std::to_string(n);
  } catch (const StatementFailed&) {
    return std::nullopt;
  }
}

std::optional<ServerTime> EtcdServer::clock() {
  try {
    EtcdConnection db({address_, kEtcdPort, kAskCluster_ms});
    db.connect();
    ServerTime out;
    out.asked_ns = host_wall_ns();
    const HttpAnswer answer = db.get("/version");
    out.answered_ns = host_wall_ns();
    const std::int64_t date_s = http_date_s(answer.header("date"));
    if (date_s < 0) throw HarnessError("the server's clock cannot be read: its answer has no date");
    out.server_ns = date_s * kDate_ns + kDate_ns / 2;
    out.tick_ns = kDate_ns / 2;
    return out;
  } catch (const StatementFailed&) {
    return std::nullopt;
  }
}

EtcdClusterServer::EtcdClusterServer(const ServerConfig& config) : EtcdServer(config, 0) {
  for (std::uint32_t n = 1; n < kEtcdServers; ++n) others_.push_back(std::make_unique<EtcdServer>(config, n));
}

std::vector<TrialServer*> EtcdClusterServer::processes() {
  std::vector<TrialServer*> out{&process()};
  for (const auto& other : others_) out.push_back(&other->process());
  return out;
}

LockServer& EtcdClusterServer::one(std::uint32_t server) {
  if (server == 0) return *this;
  return *others_.at(server - 1);
}

void EtcdClusterServer::prepare(const StatementFile& statements) {
  EtcdServer::prepare(statements);
  for (const auto& other : others_) other->prepare(statements);
  const auto whole = [this] {
    for (std::uint32_t n = 0; n < kEtcdServers; ++n) {
      const auto view = view_of(n);
      if (!view || !view->serves || view->members != kEtcdServers) return false;
    }
    return true;
  };
  if (!poll_until(whole, kWholeLook_ms, after_ms(kServerStart_ms))) {
    throw HarnessError("the servers did not become one cluster; see " + log());
  }
  let_the_last_lead();
}

// The first election is random; with the last server as leader the same clients are connected to it in each trial.
void EtcdClusterServer::let_the_last_lead() {
  constexpr std::uint32_t kLast = kEtcdServers - 1;
  const auto leads = [this] {
    const auto now = leader();
    if (now && *now != kLast) hand_over(*now, kLast);
    return now && *now == kLast;
  };
  if (!poll_until(leads, kWholeLook_ms, after_ms(kServerStart_ms))) {
    throw HarnessError("the last server did not become the leader; see " + log());
  }
}

void EtcdClusterServer::hand_over(std::uint32_t from, std::uint32_t to) {
  const auto status = status_of(kServerAddresses.at(to));
  if (!status || !status->contains("header")) return;
  const json order{{"targetID", number_of_status(status->at("header"), "member_id")}};
  try {
    EtcdConnection({kServerAddresses.at(from), kEtcdPort, kAskServer_ms})
        .post("/v3/maintenance/transfer-leadership", text_of_json(order));
  } catch (const StatementFailed&) {
    return;  // the present leader is asked again
  }
}

std::string EtcdClusterServer::version() {
  return EtcdServer::version() + " (" + std::to_string(kEtcdServers) + " servers)";
}

std::optional<ClusterView> EtcdClusterServer::view_of(std::uint32_t server) {
  const std::string host = kServerAddresses.at(server);
  const auto status = status_of(host);
  const auto metrics = page(host, "/metrics");
  if (!status || !metrics) return std::nullopt;
  ClusterView out;
  out.serves = page(host, "/health").has_value();
  out.members = out.serves ? 1 + active_peers(*metrics) : 1;  // it takes seconds to give up a connection to a peer
  out.changes = std::stoull(number_of_status(*status, "raftTerm"));
  return out;
}

// A server that is cut off may still consider itself the leader: the one with the highest term is.
std::optional<std::uint32_t> EtcdClusterServer::leader() {
  std::optional<std::uint32_t> out;
  std::uint64_t term = 0;
  for (std::uint32_t n = 0; n < kEtcdServers; ++n) {
    const auto status = status_of(kServerAddresses.at(n));
    if (!status || !status->contains("header")) continue;
    const std::uint64_t its_term = std::stoull(number_of_status(*status, "raftTerm"));
    const std::string leads = number_of_status(*status, "leader");
    const bool itself = leads != "0" && leads == number_of_status(status->at("header"), "member_id");
    if (itself && its_term > term) {
      out = n;
      term = its_term;
    }
  }
  return out;
}

std::unique_ptr<LockServer> start_etcd_service(const ServerConfig& config) {
  if (servers_in(config) > 1) return std::make_unique<EtcdClusterServer>(config);
  return std::make_unique<EtcdServer>(config, 0);
}

}  // namespace holdfast
