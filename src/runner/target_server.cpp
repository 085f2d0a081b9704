#include "runner/target_server.hpp"

#include "runner/mysql_server.hpp"
#include "runner/redis_server.hpp"

namespace holdfast {
namespace {

class MySqlTargetServer : public MySqlLockServer {
 public:
  explicit MySqlTargetServer(const Target& target) : MySqlLockServer(target.mysql(), target.prefix) {}
  std::vector<TrialServer*> processes() override { return {}; }
  void prepare(const std::string& lock) override { make_table(lock); }
};

class RedisTargetServer : public RedisLockServer {
 public:
  explicit RedisTargetServer(const Target& target) : RedisLockServer(target.redis()) {}
  std::vector<TrialServer*> processes() override { return {}; }
  void prepare(const std::string&) override {}  // its keys are made by the clients
};

}  // namespace

std::unique_ptr<LockServer> make_target_server(const Target& target) {
  if (target.kind == StoreKind::redis) return std::make_unique<RedisTargetServer>(target);
  return std::make_unique<MySqlTargetServer>(target);
}

}  // namespace holdfast
