#include "explore/explore_servers.hpp"

#include <utility>

#include "artifact/error.hpp"
#include "explore/lock_world.hpp"
#include "lab/process.hpp"
#include "lock/lock.hpp"
#include "servers/server_type.hpp"

namespace holdfast {
namespace {

// The lab's own network begins without even a loopback.
void loopback_up() {
  Spawn ip;
  ip.argv = {find_program("ip", {"iproute2", "iproute"}), "link", "set", "lo", "up"};
  ip.privileged = true;
  run_program(ip);
}

}  // namespace

ExploreServers::ExploreServers(std::string folder) : folder_(std::move(folder)) {
  loopback_up();
}

ExploreStores ExploreServers::stores_of(const ExploreSettings& settings) {
  const LockRef ref = parse_lock_ref(settings.lock);
  const LockType& lock = *find_entry(locks(), ref.lock);
  const ServerType& type = server_type(lock.server);
  if (type.explore == nullptr) throw Unavailable(std::string("explore cannot simulate ") + type.title);
  auto& server = servers_[lock.server];
  if (!server) server = type.explore(folder_);
  return server->stores_of({lock_file(ref.lock), ref.variant, lock.isolation, LockWorld::sessions(settings)});
}

void ExploreServers::stop() {
  for (auto& [name, server] : servers_) server->stop();
}

}  // namespace holdfast
