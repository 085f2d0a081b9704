#include "client/client_address.hpp"

#include <algorithm>

namespace holdfast {
namespace {

// A statement that waits for another's row lock gives up before the connection's own time-out: an answer is definite,
// a time-out is not.
constexpr const char* kFirstStatement = "SET SESSION autocommit = 1, innodb_lock_wait_timeout = 1";
constexpr const char* kIsolation = "repeatable_read";  // the server's own
constexpr unsigned kTimeout_s = 2;                     // of either kind of store

bool on_target(const ClientOptions& options, StoreKind kind) {
  return options.target && options.target->kind == kind;
}

MySqlAddress with_limits(MySqlAddress address) {
  address.timeout_s = kTimeout_s;
  address.first_statements = {kFirstStatement};
  return address;
}

MySqlAddress in_lab(const std::string& host) {
  MySqlAddress address;
  address.host = host;
  address.database = kDatabase;
  return with_limits(address);
}

// The lock's session has the zone and the isolation that the load gives this client, on each new connection.
std::vector<std::string> session_settings(const Load& load, std::uint32_t client) {
  const auto turn = [client](const std::vector<std::string>& words) { return words[client % words.size()]; };
  std::string level = load.isolation.empty() ? kIsolation : turn(load.isolation);  // "read_committed"
  std::replace(level.begin(), level.end(), '_', ' ');
  return {std::string(kFirstStatement) + ", time_zone = '" + turn(load.time_zone) + "'",
          "SET SESSION TRANSACTION ISOLATION LEVEL " + level};
}

}  // namespace

MySqlAddress lock_address(const ClientOptions& options, const Load& load, std::int64_t wait_ms) {
  const bool there = on_target(options, StoreKind::mysql);
  MySqlAddress address = there ? with_limits(options.target->mysql()) : in_lab(options.lock_host);
  address.first_statements = session_settings(load, options.client);
  address.timeout_s += static_cast<unsigned>((wait_ms + 999) / 1000);
  return address;
}

RedisAddress redis_address(const ClientOptions& options, std::int64_t wait_ms) {
  RedisAddress address;
  address.host = options.lock_host;
  if (on_target(options, StoreKind::redis)) address = options.target->redis();
  address.timeout_ms = std::int64_t{kTimeout_s} * 1000 + wait_ms;
  return address;
}

MySqlAddress resource_address(const ClientOptions& options) {
  if (on_target(options, StoreKind::mysql)) return with_limits(options.target->mysql());
  MySqlAddress address = in_lab(options.resource_host);
  address.socket = options.resource_socket;
  return address;
}

std::string key_prefix(const ClientOptions& options) {
  return options.target ? options.target->prefix : "";
}

std::string table_prefix(const ClientOptions& options) {
  return on_target(options, StoreKind::mysql) ? options.target->prefix : "";
}

}  // namespace holdfast
