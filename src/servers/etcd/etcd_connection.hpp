// A connection to an etcd server's JSON gateway (servers/http_connection.hpp has its rules).
//
//   EtcdConnection db({"10.77.0.2"});
//   const HttpAnswer answer = db.post("/v3/kv/txn", body);
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "servers/etcd/etcd_file.hpp"
#include "servers/http_connection.hpp"
#include "store/session.hpp"

namespace holdfast {

struct EtcdAddress {
  std::string host;
  int port = 2379;
  std::int64_t timeout_ms = 1000;
};

class EtcdConnection {
 public:
  explicit EtcdConnection(const EtcdAddress& address) : http_({address.host, address.port, address.timeout_ms}) {}

  // All throw StatementFailed: definite if no byte of a request was sent.
  void connect();  // if necessary; requests the version, which any server answers alone
  HttpAnswer post(const std::string& path, const std::string& body);
  HttpAnswer get(const std::string& path);
  void close() { http_.close(); }
  std::uint64_t id() const { return http_.id(); }

 private:
  HttpConnection http_;
};

// One connection to an etcd server that runs the commands of a lock's file by name.
class EtcdStatements : public StatementConnection {
 public:
  EtcdStatements(const EtcdAddress& server, EtcdFile commands) : connection_(server), commands_(std::move(commands)) {}
  void connect() override { connection_.connect(); }
  Reply run(std::string_view statement, Params params) override;
  void close() override { connection_.close(); }
  std::uint64_t id() const override { return connection_.id(); }

 private:
  EtcdConnection connection_;
  EtcdFile commands_;
};

}  // namespace holdfast
