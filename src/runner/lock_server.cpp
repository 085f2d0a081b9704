#include "runner/lock_server.hpp"

#include <ctime>

#include "artifact/error.hpp"
#include "lock/lock.hpp"
#include "runner/galera_server.hpp"
#include "runner/mysql_replica_server.hpp"
#include "runner/mysql_server.hpp"
#include "runner/redis_replica_server.hpp"
#include "runner/redis_server.hpp"

namespace holdfast {
namespace {

StoreKind store_of(const std::string& lock) {
  return find_entry(locks(), parse_lock_ref(lock).lock)->store;
}

}  // namespace

bool serves_resource(const std::string& lock) {
  return store_of(lock) == StoreKind::mysql;
}

std::function<Process()> not_ours() {
  return []() -> Process { throw HarnessError("a server of the user's own is not started by holdfast"); };
}

std::unique_ptr<LockServer> make_lock_server(const std::string& lock, const ServerPlace& place) {
  if (place.settings.topology == "replica") return std::make_unique<MySqlReplicaServer>(place);
  if (place.settings.topology == "redis_replica") return std::make_unique<RedisReplicaServer>(place);
  if (place.settings.topology == "galera") return std::make_unique<GaleraServer>(place);
  if (store_of(lock) == StoreKind::redis) return std::make_unique<RedisLockServer>(place);
  return std::make_unique<MySqlLockServer>(place);
}

std::int64_t host_wall_ns() {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return now.tv_sec * 1'000'000'000LL + now.tv_nsec;
}

}  // namespace holdfast
