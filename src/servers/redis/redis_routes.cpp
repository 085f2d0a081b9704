#include "servers/redis/redis_routes.hpp"

#include <charconv>
#include <utility>

#include "artifact/placed_statement.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kSentinelPatience_ms = 300;
constexpr int kMostMoves = 5;

[[noreturn]] void no_way(const std::string& why) {
  throw StatementFailed(true, Reason::unavailable, 0, "connect: " + why);
}

RedisAddress at(RedisAddress like, const std::string& host, int port) {
  like.host = host;
  like.port = port;
  return like;
}

// "master", "slave": the first word of the answer to ROLE.
std::string role_of(RedisConnection& server) {
  const Reply reply = server.command({"ROLE"});
  return reply.ok() && !reply.rows.empty() ? reply.field(0, 0).value_or("") : "";
}

}  // namespace

QuorumStatements::QuorumStatements(const std::vector<RedisAddress>& servers, RedisFile commands)
    : commands_(std::move(commands)) {
  for (const RedisAddress& server : servers) servers_.emplace_back(server);
}

void QuorumStatements::connect() {
  std::size_t connected = 0;
  std::string why;
  for (auto& server : servers_) {
    try {
      server.connect();
      ++connected;
    } catch (const StatementFailed& failed) {
      why = failed.what();
    }
  }
  if (2 * connected <= servers_.size()) throw StatementFailed(true, Reason::unavailable, 0, why);
}

void QuorumStatements::connect_for(std::string_view statement) {
  servers_.at(placed(statement).server).connect();
}

Reply QuorumStatements::run(std::string_view statement, Params params) {
  const PlacedStatement where = placed(statement);
  return servers_.at(where.server).command(commands_.bind(where.name, params));
}

void QuorumStatements::close() {
  for (auto& server : servers_) server.close();
}

void QuorumStatements::close_for(std::string_view statement) {
  servers_.at(placed(statement).server).close();
}

SentinelStatements::SentinelStatements(std::vector<std::string> hosts, RedisAddress like, RedisFile commands)
    : hosts_(std::move(hosts)), like_(std::move(like)), commands_(std::move(commands)) {}

std::string SentinelStatements::primary_host() const {
  std::string why = "no Sentinel is given";
  for (const std::string& host : hosts_) {
    RedisAddress address = at(like_, host, kSentinelPort);
    address.timeout_ms = kSentinelPatience_ms;
    try {
      const Reply reply = RedisConnection(address).command({"SENTINEL", "get-master-addr-by-name", kSentinelName});
      if (reply.ok() && !reply.rows.empty() && reply.field(0, 0)) return *reply.field(0, 0);
      why = "the Sentinel at " + host + " does not know the primary";
    } catch (const StatementFailed& failed) {
      why = "the Sentinel at " + host + ": " + failed.what();
    }
  }
  no_way(why);
}

void SentinelStatements::connect() {
  if (primary_ && primary_->id() != 0) return;
  const std::string host = primary_host();
  primary_ = std::make_unique<RedisConnection>(at(like_, host, like_.port));
  primary_->connect();
  std::string role;
  try {
    role = role_of(*primary_);
  } catch (const StatementFailed& failed) {
    no_way(host + ": " + failed.what());
  }
  if (role == "master") return;
  primary_.reset();
  no_way(host + " is named as the primary, but reports that it is a " + role);
}

// An answer from a primary that has become a replica: the next statement asks the Sentinels again.
Reply SentinelStatements::run(std::string_view statement, Params params) {
  connect();
  Reply reply = primary_->command(commands_.bind(statement, params));
  if (reply.message.rfind("READONLY", 0) == 0) close();
  return reply;
}

ClusterStatements::ClusterStatements(std::vector<std::string> hosts, RedisAddress like, RedisFile commands)
    : hosts_(std::move(hosts)), like_(std::move(like)), commands_(std::move(commands)) {}

void ClusterStatements::connect_to(const std::string& host, int port) {
  server_ = std::make_unique<RedisConnection>(at(like_, host, port));
  server_->connect();
}

void ClusterStatements::connect() {
  if (server_ && server_->id() != 0) return;
  for (std::size_t tries = 0; tries < hosts_.size(); ++tries) {
    const std::string& host = hosts_[next_++ % hosts_.size()];
    try {
      return connect_to(host, like_.port);
    } catch (const StatementFailed&) {
      if (tries + 1 == hosts_.size()) throw;
    }
  }
}

Reply ClusterStatements::run(std::string_view statement, Params params) {
  connect();
  const std::vector<std::string> command = commands_.bind(statement, params);
  Reply reply = server_->command(command);
  for (int moves = 0; moves < kMostMoves; ++moves) {
    const MovedTo there = moved_to(reply);
    if (there.host.empty()) return reply;
    connect_to(there.host, there.port);
    reply = server_->command(command);
  }
  return reply;
}

MovedTo moved_to(const Reply& reply) {
  const std::string& text = reply.message;
  if (reply.ok() || text.rfind("MOVED ", 0) != 0) return {};
  const auto host = text.rfind(' ') + 1;
  const auto colon = text.rfind(':');
  if (colon == std::string::npos || colon <= host) return {};
  MovedTo out{text.substr(host, colon - host), 0};
  const auto [stop, error] = std::from_chars(text.data() + colon + 1, text.data() + text.size(), out.port);
  return error == std::errc() && stop == text.data() + text.size() ? out : MovedTo{};
}

}  // namespace holdfast
