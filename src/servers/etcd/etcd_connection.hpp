// A connection to an etcd server's JSON gateway that never hangs: HTTP/1.1 through libcurl, one connection that is kept
// until it is lost or closed. Connects on first use and again after a loss.
//
//   EtcdConnection db({"10.77.0.2"});
//   const HttpAnswer answer = db.post("/v3/kv/txn", body);
//
// A request is sent once. libcurl would resend a request if the server closed the connection before any byte of an
// answer, but the server may have executed it. A body that cannot be read twice prevents that (see the source).
//
// The server is not trusted: answers are limited (store/transport.hpp), redirects are not followed, and no proxy is
// used.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "servers/etcd/etcd_file.hpp"
#include "store/session.hpp"

namespace holdfast {

struct EtcdAddress {
  std::string host;
  int port = 2379;
  std::int64_t timeout_ms = 1000;
};

struct HttpAnswer {
  long status = 0;
  std::string body;
  std::int64_t date_s = -1;  // the server's own time since 1970; -1: not given
};

class EtcdConnection {
 public:
  static std::string library_missing();  // why libcurl cannot be loaded, and the remedy; empty: it can
  explicit EtcdConnection(EtcdAddress address);
  ~EtcdConnection();
  EtcdConnection(EtcdConnection&&) noexcept;

  // Both throw StatementFailed: definite if no byte of a request was sent.
  void connect();  // if necessary; requests the version, which any server answers alone
  HttpAnswer post(const std::string& path, const std::string& body);
  HttpAnswer get(const std::string& path);
  void close();
  std::uint64_t id() const { return id_; }  // the local port, since etcd has no connection numbers; 0: not connected

 private:
  struct Handle;
  HttpAnswer ask(const std::string& path, const std::string* body);
  [[noreturn]] void fail(const std::string& path, int code, const std::string& passed);

  EtcdAddress address_;
  std::unique_ptr<Handle> handle_;
  std::uint64_t id_ = 0;
};

// One connection to an etcd server that runs the commands of a lock's file by name.
class EtcdStatements : public StatementConnection {
 public:
  EtcdStatements(EtcdAddress server, EtcdFile commands)
      : connection_(std::move(server)), commands_(std::move(commands)) {}
  void connect() override { connection_.connect(); }
  Reply run(std::string_view statement, Params params) override;
  void close() override { connection_.close(); }
  std::uint64_t id() const override { return connection_.id(); }

 private:
  EtcdConnection connection_;
  EtcdFile commands_;
};

}  // namespace holdfast
