#include "explore/explore_servers.hpp"

#include <csignal>
#include <filesystem>
#include <utility>

#include "artifact/error.hpp"
#include "explore/lock_world.hpp"
#include "explore/real_waits.hpp"
#include "lab/door.hpp"
#include "lab/mariadb.hpp"
#include "lab/redis.hpp"
#include "lock/lock.hpp"

namespace holdfast {
namespace {

constexpr const char* kHost = "127.0.0.1";
constexpr int kEnd_ms = 5'000;
constexpr std::size_t kLongestSocket = 100;  // the kernel takes 107 letters

// The lab's own network begins without even a loopback.
void loopback_up() {
  Spawn ip;
  ip.argv = {find_program("ip", "iproute2"), "link", "set", "lo", "up"};
  ip.privileged = true;
  run_program(ip);
}

}  // namespace

ExploreServers::ExploreServers(std::string folder) : folder_(std::move(folder)) {
  loopback_up();
}

void ExploreServers::need_mariadb() {
  if (mariadb_) return;
  ServerSpec spec;
  spec.data = folder_ + "/lab/db";
  spec.log = folder_ + "/server.log";
  spec.flush_log_at_commit = 0;     // nobody kills this server
  spec.more = {"--sysdate-is-now",  // SYSDATE() obeys the session's time stamp, as NOW() does
               "--innodb-log-file-size=96M", "--innodb-buffer-pool-size=64M", "--innodb-doublewrite=0",
               "--thread-cache-size=64"};
  std::filesystem::create_directories(spec.data);
  mariadb_ = start_mariadb(spec);
  wait_for_answer(kHost, kMySqlDoor, *mariadb_, spec.log, kServerStart_ms);
}

// A server a worker: they differ in what time it is.
void ExploreServers::need_redis(int worker) {
  while (static_cast<int>(redis_.size()) <= worker) {
    const int number = static_cast<int>(redis_.size());
    auto one = std::make_unique<FrozenRedis>();
    RedisSpec spec;
    spec.data = folder_ + "/lab/redis-" + std::to_string(number);
    spec.log = folder_ + "/redis.log";
    spec.persistence = "none";
    spec.port = kRedisPort + number;
    spec.clock = &one->clock;
    one->process = start_redis(spec);
    wait_for_answer(kHost, {spec.port, kRedisDoor.question, kRedisDoor.answer_begin}, one->process, spec.log,
                    kServerStart_ms);
    redis_.push_back(std::move(one));
  }
}

ExploreStores ExploreServers::stores_of(const ExploreSettings& settings) {
  const std::string lock = settings.lock;
  const std::size_t sessions = LockWorld::sessions(settings);
  if (find_entry(locks(), parse_lock_ref(lock).lock)->store == StoreKind::redis) {
    return {[this, lock, sessions](int worker) {
      need_redis(worker);
      return make_redis_store({lock, sessions, worker}, kHost, kRedisPort + worker,
                              redis_[static_cast<std::size_t>(worker)]->clock);
    }};
  }
  need_mariadb();
  const std::string socket = folder_ + "/lab/db/server.sock";
  const std::string host = socket.size() < kLongestSocket ? socket : kHost;
  return {[lock, sessions, host](int worker) {
            return make_sql_store({lock, sessions, worker}, host);
          },
          [lock, sessions, host](const std::vector<StoreCall>& calls) {
            return RealWaits({lock, sessions, 0}, host).differs(calls);
          }};
}

void ExploreServers::stop() {
  const auto end = [](Process& process) {
    process.signal(SIGKILL);
    process.wait(kEnd_ms);
  };
  if (mariadb_) end(*mariadb_);
  for (auto& one : redis_) end(one->process);
}

}  // namespace holdfast
