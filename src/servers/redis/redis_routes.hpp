// How a client finds its way to a lock service of several Redis servers.
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

// Connected to several servers that know nothing of each other. A statement says at which it is run
// (artifact/placed_statement.hpp); one that says nothing is for the first. Each server is connected to when it is first
// needed, and anew after a loss, so that one that is gone costs its own statements only.
//
// Each server has kQuorumPatience_ms to take a connection and to answer: the lock's rule wants a time that is small
// beside a lease, so that a server that hangs does not use it up.
class QuorumStatements : public StatementConnection {
 public:
  QuorumStatements(const std::vector<RedisAddress>& servers, RedisFile commands);
  void connect() override;  // to all; throws unless a majority is there
  void connect_for(std::string_view statement) override;
  Reply run(std::string_view statement, Params params) override;
  void close() override;
  void close_for(std::string_view statement) override;
  std::uint64_t id() const override { return servers_.front().id(); }  // of the first; its own numbers each
  std::uint32_t servers() const override { return static_cast<std::uint32_t>(servers_.size()); }

 private:
  std::vector<RedisConnection> servers_;
  RedisFile commands_;
};

// Connected to whichever server a Sentinel calls the primary: asked when it connects, and anew after a loss. The
// Sentinels are asked in the order in which their hosts are given; the first that knows an answer is believed, as
// client libraries do. A server that is called the primary and says that it is none is not used.
class SentinelStatements : public StatementConnection {
 public:
  SentinelStatements(std::vector<std::string> hosts, RedisAddress like, RedisFile commands);
  void connect() override;
  Reply run(std::string_view statement, Params params) override;
  void close() override { primary_.reset(); }
  std::uint64_t id() const override { return primary_ ? primary_->id() : 0; }

 private:
  std::string primary_host() const;  // StatementFailed: no Sentinel tells

  std::vector<std::string> hosts_;
  RedisAddress like_;  // all but the host
  RedisFile commands_;
  std::unique_ptr<RedisConnection> primary_;
};

// Connected to one server of a Redis Cluster, and to another where that one says that a key is there (MOVED). After a
// loss the next of the hosts is asked.
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
  std::size_t next_ = 0;  // of the hosts
  std::unique_ptr<RedisConnection> server_;
};

// Where a server says that a key is: "MOVED 866 10.77.0.5:6379". Host empty: it does not.
struct MovedTo {
  std::string host;
  int port = 0;
};
MovedTo moved_to(const Reply& reply);

inline constexpr int kSentinelPort = 26379;
inline constexpr const char* kSentinelName = "holdfast";  // of what the Sentinels watch

}  // namespace holdfast
