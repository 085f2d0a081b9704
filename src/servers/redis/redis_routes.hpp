// Routes of a client to the right server of a lock service with several Redis servers.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "servers/redis/redis_connection.hpp"
#include "servers/redis/redis_file.hpp"
#include "store/session.hpp"

namespace holdfast {

inline constexpr std::int64_t kQuorumPatience_ms = 100;

// Connected to several independent servers. A statement names its server (artifact/placed_statement.hpp), by default
// the first. Each server is connected to on first use, and again after a loss, so a missing server only affects its own
// statements.
//
// Each server has kQuorumPatience_ms to accept a connection and to answer: the lock's rule requires a time that is
// short compared with a lease, so that a hanging server does not use it up.
class QuorumStatements : public StatementConnection {
 public:
  QuorumStatements(const std::vector<RedisAddress>& servers, RedisFile commands);
  void connect() override;  // to all; throws without a majority
  void connect_for(std::string_view statement) override;
  Reply run(std::string_view statement, Params params) override;
  void close() override;
  void close_for(std::string_view statement) override;
  std::uint64_t id() const override { return servers_.front().id(); }  // of the first; each has its own numbers
  std::uint32_t servers() const override { return static_cast<std::uint32_t>(servers_.size()); }

 private:
  std::vector<RedisConnection> servers_;
  RedisFile commands_;
};

// Connected to the server that a Sentinel names as the primary: asked on connecting, and again after a loss. Sentinels
// are asked in the order of their hosts; the first answer is used, as in client libraries. A named primary that reports
// itself as a replica is not used.
class SentinelStatements : public StatementConnection {
 public:
  SentinelStatements(std::vector<std::string> hosts, RedisAddress like, RedisFile commands);
  void connect() override;
  Reply run(std::string_view statement, Params params) override;
  void close() override { primary_.reset(); }
  std::uint64_t id() const override { return primary_ ? primary_->id() : 0; }

 private:
  std::string primary_host() const;  // throws StatementFailed if no Sentinel answers

  std::vector<std::string> hosts_;
  RedisAddress like_;  // except the host
  RedisFile commands_;
  std::unique_ptr<RedisConnection> primary_;
};

// Connected to one server of a Redis Cluster, and to another if it redirects a key there (MOVED). After a loss the next
// of the hosts is asked.
class ClusterStatements : public StatementConnection {
 public:
  ClusterStatements(std::vector<std::string> hosts, RedisAddress like, RedisFile commands);
  void connect() override;
  Reply run(std::string_view statement, Params params) override;
  void close() override { server_.reset(); }
  std::uint64_t id() const override { return server_ ? server_->id() : 0; }

 private:
  void connect_to(const std::string& host, int port);

  std::vector<std::string> hosts_;
  RedisAddress like_;
  RedisFile commands_;
  std::size_t next_ = 0;  // index of the host
  std::unique_ptr<RedisConnection> server_;
};

// A redirection: "MOVED 866 10.77.0.5:6379". Empty host: none.
struct MovedTo {
  std::string host;
  int port = 0;
};
MovedTo moved_to(const Reply& reply);

inline constexpr int kSentinelPort = 26379;
inline constexpr const char* kSentinelName = "holdfast";  // name of the group watched by the Sentinels

}  // namespace holdfast
