#include "explore/explore_servers.hpp"

#include <csignal>
#include <filesystem>
#include <utility>

#include "artifact/error.hpp"
#include "explore/lock_world.hpp"
#include "lab/door.hpp"
#include "lab/mariadb.hpp"
#include "lock/lock.hpp"

namespace holdfast {
namespace {

constexpr const char* kHost = "127.0.0.1";
constexpr int kStart_ms = 20'000;
constexpr int kEnd_ms = 5'000;

// The lab's own network begins without even a loopback.
void loopback_up() {
  Spawn ip;
  ip.argv = {find_program("ip", "iproute2"), "link", "set", "lo", "up"};
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
  spec.flush_log_at_commit = 2;  // nobody kills this server
  spec.sysdate_is_now = true;
  std::filesystem::create_directories(spec.data);
  mariadb_ = start_mariadb(spec);
  wait_for_answer(kHost, kMySqlDoor, *mariadb_, spec.log, kStart_ms);
}

StoreMaker ExploreServers::stores_of(const ExploreSettings& settings) {
  const std::string lock = settings.lock;
  const std::size_t sessions = LockWorld::sessions(settings);
  if (find_entry(locks(), parse_lock_ref(lock).lock)->store == StoreKind::redis) {
    throw Unavailable("locks on Redis are not explored yet");
  }
  need_mariadb();
  return [lock, sessions](int worker) { return make_sql_store({lock, sessions, worker}, kHost); };
}

void ExploreServers::stop() {
  if (!mariadb_) return;
  mariadb_->signal(SIGKILL);
  mariadb_->wait(kEnd_ms);
}

}  // namespace holdfast
