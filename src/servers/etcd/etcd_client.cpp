// Parts of etcd that need the client library.
#include "servers/etcd/etcd_connection.hpp"
#include "servers/etcd/etcd_lock_server.hpp"
#include "servers/server_type.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kTimeout_ms = 2000;

std::unique_ptr<StatementConnection> connect(const StatementFile& file, const ClientAccess& access) {
  EtcdAddress address;
  address.host = access.host;
  address.port = kEtcdPort;
  address.timeout_ms = kTimeout_ms + access.wait_ms;
  return std::make_unique<EtcdStatements>(address, EtcdFile::parse(file));
}

}  // namespace

ServerType with_etcd_client(ServerType type) {
  type.connect = connect;
  type.start = start_etcd_service;
  type.library_missing = HttpConnection::library_missing;
  type.readiness = kEtcdProbe;
  return type;
}

}  // namespace holdfast
