#include "runner/lock_server.hpp"

#include "lock/lock.hpp"
#include "runner/mysql_server.hpp"
#include "runner/redis_server.hpp"

namespace holdfast {

std::unique_ptr<LockServer> make_lock_server(const Plan& plan) {
  switch (find_entry(locks(), parse_lock_ref(plan.lock).lock)->store) {
    case StoreKind::redis:
      return std::make_unique<RedisLockServer>(plan.load.server.redis_persistence);
    case StoreKind::mysql:
      break;
  }
  return std::make_unique<MySqlLockServer>();
}

}  // namespace holdfast
