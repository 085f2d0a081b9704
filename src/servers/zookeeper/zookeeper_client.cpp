// Parts of ZooKeeper that need the client library.
#include "servers/server_type.hpp"
#include "servers/zookeeper/zookeeper_lock_server.hpp"
#include "servers/zookeeper/zookeeper_session.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kZooKeeperPatience_ms = 2000;

std::unique_ptr<StatementConnection> connect_zookeeper(const StatementFile& file, const ClientAccess& access) {
  ZooKeeperAddress address;
  address.host = access.host;
  address.timeout_ms = kZooKeeperPatience_ms + access.wait_ms;
  return std::make_unique<ZooKeeperStatements>(address, ZooKeeperFile::parse(file));
}

}  // namespace

ServerType with_zookeeper_client(ServerType type) {
  type.connect = connect_zookeeper;
  type.start = start_zookeeper_service;
  type.readiness = kZooKeeperProbe;
  return type;
}

}  // namespace holdfast
