#include "servers/mysql/mysql_client.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "servers/mysql/lab_address.hpp"
#include "servers/mysql/mysql_statements.hpp"
#include "servers/mysql/split_statements.hpp"

namespace holdfast {
namespace {

constexpr const char* kIsolation = "repeatable_read";  // the server's own
constexpr unsigned kTimeout_s = 2;
static_assert(kRowLockWait_s < kTimeout_s);

std::string limits() {
  return "SET SESSION autocommit = 1, innodb_lock_wait_timeout = " + std::to_string(kRowLockWait_s);
}

// The zone and the isolation that the load gives this client, on each new connection.
std::vector<std::string> session_settings(const ClientAccess& access) {
  std::string level = access.isolation.empty() ? kIsolation : access.isolation;  // "read_committed"
  std::replace(level.begin(), level.end(), '_', ' ');
  return {limits() + ", time_zone = '" + access.time_zone + "'", "SET SESSION TRANSACTION ISOLATION LEVEL " + level};
}

MySqlAddress lock_address(const ClientAccess& access) {
  MySqlAddress address = with_client_limits(access.target ? mysql_address(*access.target) : lab_address(access.host));
  address.first_statements = session_settings(access);
  address.timeout_s += static_cast<unsigned>((access.wait_ms + 999) / 1000);
  address.found_rows = access.variant == kFoundRows;
  return address;
}

}  // namespace

MySqlAddress with_client_limits(MySqlAddress address) {
  address.timeout_s = kTimeout_s;
  address.first_statements = {limits()};
  return address;
}

std::unique_ptr<StatementConnection> connect_mysql_client(const StatementFile& file, const ClientAccess& access) {
  const MySqlAddress address = lock_address(access);
  SqlFile statements = SqlFile::parse(file).with_prefix(access.target ? access.target->prefix : "");
  if (access.replica_host.empty()) return std::make_unique<MySqlStatements>(address, std::move(statements));
  MySqlAddress reader = address;
  reader.host = access.replica_host;
  return std::make_unique<SplitStatements>(address, reader, std::move(statements));
}

}  // namespace holdfast
