#include "servers/zookeeper/zookeeper_lock_server.hpp"

#include <charconv>
#include <iterator>
#include <utility>

#include "artifact/error.hpp"
#include "artifact/poll_until.hpp"
#include "artifact/units.hpp"
#include "lab/network.hpp"
#include "store/transport.hpp"

namespace holdfast {
namespace {

using Words = std::vector<std::string>;

constexpr std::int64_t kAskZooKeeper_ms = 5'000;
constexpr std::int64_t kAskOneOfThree_ms = 1'500;  // to a server that may be cut off
constexpr std::int64_t kOwnSession_ms = 4'000;
constexpr std::uint32_t kZooKeeperServers = 3;
constexpr std::uint32_t kLastServer = kZooKeeperServers - 1;
constexpr int kLook_ms = 20;
constexpr const char* kCanaryNode = "/holdfast-canary";
constexpr const char* kClockNode = "/holdfast-clock";

std::uint32_t members_in(const ServerConfig& config) {
  return config.settings.topology == "cluster" ? kZooKeeperServers : 1;
}

std::string zookeeper_log(const ServerConfig& config, std::uint32_t number) {
  return config.folder + "/zookeeper" + (number == 0 ? "" : "-" + std::to_string(number)) + ".log";
}

Process start_member(const ServerConfig& config, std::uint32_t number) {
  ZooKeeperSpec spec;
  spec.data = config.place_of_data(number) + "/zookeeper-" + std::to_string(number);
  spec.log = zookeeper_log(config, number);
  spec.network = config.networks.at(number);
  spec.members = {std::begin(kServerAddresses), std::begin(kServerAddresses) + members_in(config)};
  spec.number = number;
  return start_zookeeper(spec);
}

// Runs commands in a session of their own. Throws StatementFailed.
class Visit {
 public:
  Visit(const std::string& host, std::int64_t timeout_ms) : session_({host, kZooKeeperPort, timeout_ms}) {
    session_.open(kOwnSession_ms);
  }
  Reply run(const Words& words, const Words& answers = {}) {
    Reply out = session_.run(zookeeper_command(words, answers));
    if (!out.ok() && !out.duplicate_key()) throw StatementFailed(out, words.front() + ": " + out.message);
    return out;
  }
  // Writes this text to a node, creating it if necessary; the row has `mtime`.
  Reply put(const std::string& node, const std::string& text) {
    run({"create", node, text});
    return run({"set", node, text}, {"mtime"});
  }

 private:
  ZooKeeperSession session_;
};

// Sends a four-letter word and returns the answer; empty: no answer, or the server does not serve.
std::string said_to(const std::string& host, std::string_view word) {
  std::string out;
  try {
    Stream stream(host, kZooKeeperPort, {}, kAskOneOfThree_ms);
    stream.write(word);
    AnswerLimit limit(std::size_t{1} << 20U);
    limit.begin();
    char buffer[4096];
    while (const std::size_t n = stream.read(buffer, sizeof buffer)) {
      if (!limit.take(n)) return "";
      out.append(buffer, n);
    }
  } catch (const StreamFailed&) {
    // the end of an answer is the end of the connection
  }
  return out.find("not currently serving") == std::string::npos ? out : "";
}

// The text after a name at the beginning of a line; empty: none.
std::string said_of(const std::string& text, const std::string& name) {
  const auto at = ("\n" + text).find("\n" + name);
  if (at == std::string::npos) return "";
  const auto begin = text.find_first_not_of(": \t", at + name.size());
  return begin == std::string::npos ? "" : text.substr(begin, text.find('\n', begin) - begin);
}

struct MemberState {
  bool leads = false;
  std::uint64_t epoch = 0;  // rises with each election
};

// Empty: it does not serve.
std::optional<MemberState> state_of_member(const std::string& host) {
  const std::string text = said_to(host, "srvr");
  const std::string zxid = said_of(text, "Zxid");
  if (zxid.size() < 3) return std::nullopt;
  std::uint64_t number = 0;
  std::from_chars(zxid.data() + 2, zxid.data() + zxid.size(), number, 16);
  return MemberState{said_of(text, "Mode") == "leader", number >> 32U};
}

}  // namespace

ZooKeeperServer::ZooKeeperServer(const ServerConfig& config, std::uint32_t number)
    : LockServer([config, number] { return start_member(config, number); }),
      address_(kServerAddresses.at(number)),
      log_(zookeeper_log(config, number)) {}

void ZooKeeperServer::wait_until_it_answers() {
  process().when_started(
      [this](Process& process) { wait_for_answer(address_, kZooKeeperProbe, process, log_, kServerStart_ms); });
}

// Creates the parent of the locks' nodes.
void ZooKeeperServer::prepare(const StatementFile&) {
  wait_until_it_answers();
  try {
    Visit visit(address_, kAskZooKeeper_ms);
    visit.run({"create", "/locks", ""});
    visit.put(kCanaryNode, "");
    visit.put(kClockNode, "");
  } catch (const StatementFailed& failed) {
    throw HarnessError("ZooKeeper cannot be prepared: " + std::string(failed.what()) + "; see " + log_);
  }
}

std::string ZooKeeperServer::version() {
  const std::string said = said_of(said_to(address_, "srvr"), "Zookeeper version");
  return "ZooKeeper" + (said.empty() ? "" : " " + said.substr(0, said.find_first_of("-,")));
}

std::string ZooKeeperServer::cannot_end_connections() const {
  return "ZooKeeper cannot end a client's connection, and a session outlives it";
}

void ZooKeeperServer::end_connection(std::uint64_t, std::uint32_t) {
  throw HarnessError(cannot_end_connections());
}

bool ZooKeeperServer::connection_alive(std::uint64_t, std::uint32_t) {
  throw HarnessError(cannot_end_connections());
}

void ZooKeeperServer::leave_canary(std::int64_t n) {
  try {
    Visit(address_, kAskZooKeeper_ms).run({"set", kCanaryNode, std::to_string(n)});
  } catch (const StatementFailed& failed) {
    throw HarnessError(std::string("the canary cannot be written: ") + failed.what());
  }
}

std::optional<bool> ZooKeeperServer::canary_kept(std::int64_t n) {
  try {
    Visit visit(address_, kAskOneOfThree_ms);
    visit.run({"sync", kCanaryNode});  // a follower's own state may be old
    const Reply kept = visit.run({"get", kCanaryNode}, {"data"});
    return !kept.rows.empty() && kept.text(0, 0) == std::to_string(n);
  } catch (const StatementFailed&) {
    return std::nullopt;
  }
}

// The leader timestamps each change; a follower's clock cannot be read.
std::optional<ServerTime> ZooKeeperServer::clock() {
  if (said_of(said_to(address_, "srvr"), "Mode") == "follower") {
    throw HarnessError("the clock of a ZooKeeper follower cannot be read; remedy: use \"target\": \"leader\"");
  }
  try {
    Visit visit(address_, kAskOneOfThree_ms);
    ServerTime out;
    out.asked_ns = host_wall_ns();
    const Reply changed = visit.run({"set", kClockNode, ""}, {"mtime"});
    out.answered_ns = host_wall_ns();
    out.server_ns = changed.number(0, 0) * kMillisecond_ns;
    return out;
  } catch (const StatementFailed&) {
    return std::nullopt;
  }
}

ZooKeeperClusterServer::ZooKeeperClusterServer(const ServerConfig& config) : ZooKeeperServer(config, 0) {
  for (std::uint32_t n = 1; n < kZooKeeperServers; ++n) {
    others_.push_back(std::make_unique<ZooKeeperServer>(config, n));
  }
}

std::vector<TrialServer*> ZooKeeperClusterServer::processes() {
  std::vector<TrialServer*> out{&process()};
  for (const auto& other : others_) out.push_back(&other->process());
  return out;
}

ZooKeeperServer& ZooKeeperClusterServer::server(std::uint32_t number) {
  if (number == 0) return *this;
  return *others_.at(number - 1);
}

LockServer& ZooKeeperClusterServer::one(std::uint32_t number) {
  return server(number);
}

bool ZooKeeperClusterServer::whole() {
  for (std::uint32_t n = 0; n < kZooKeeperServers; ++n) {
    const auto view = view_of(n);
    if (!view || !view->serves || view->members != kZooKeeperServers) return false;
  }
  return true;
}

void ZooKeeperClusterServer::prepare(const StatementFile& statements) {
  for (std::uint32_t n = 0; n < kZooKeeperServers; ++n) server(n).wait_until_it_answers();
  let_the_last_lead();
  ZooKeeperServer::prepare(statements);
}

// With equal data the server with the highest number is elected, unless the two others started faster; leadership
// cannot be transferred. So a leader that is not the last is ended and restarted: the remaining ones elect the last of
// them.
void ZooKeeperClusterServer::let_the_last_lead() {
  const auto leads = [this] {
    const auto now = leader();
    if (!now || !whole()) return false;
    if (*now == kLastServer) return true;
    TrialServer& wrong = server(*now).process();
    wrong.kill();
    poll_until([this] { return leader() == kLastServer; }, kLook_ms, after_ms(kServerStart_ms));
    wrong.restart();
    return false;
  };
  if (!poll_until(leads, kLook_ms, after_ms(kServerStart_ms))) {
    throw HarnessError("the servers did not form one cluster with the last as leader; see " + log());
  }
}

std::string ZooKeeperClusterServer::version() {
  return ZooKeeperServer::version() + " (" + std::to_string(kZooKeeperServers) + " servers)";
}

// A follower only hears from the leader, which knows its followers.
std::optional<ClusterView> ZooKeeperClusterServer::view_of(std::uint32_t number) {
  ClusterView out;
  out.members = 1;
  const auto state = state_of_member(kServerAddresses.at(number));
  if (!state) return out;
  out.serves = true;
  out.changes = state->epoch;
  const auto leads = state->leads ? std::optional(number) : leader();
  if (!leads) return out;
  const std::string followers = said_of(said_to(kServerAddresses.at(*leads), "mntr"), "zk_synced_followers");
  std::from_chars(followers.data(), followers.data() + followers.size(), out.members);
  ++out.members;
  return out;
}

// A server that is cut off may still consider itself the leader: the one with the highest epoch is.
std::optional<std::uint32_t> ZooKeeperClusterServer::leader() {
  std::optional<std::uint32_t> out;
  std::uint64_t epoch = 0;
  for (std::uint32_t n = 0; n < kZooKeeperServers; ++n) {
    const auto state = state_of_member(kServerAddresses.at(n));
    if (!state || !state->leads || (out && state->epoch <= epoch)) continue;
    out = n;
    epoch = state->epoch;
  }
  return out;
}

std::unique_ptr<LockServer> start_zookeeper_service(const ServerConfig& config) {
  if (members_in(config) > 1) return std::make_unique<ZooKeeperClusterServer>(config);
  return std::make_unique<ZooKeeperServer>(config, 0);
}

}  // namespace holdfast
