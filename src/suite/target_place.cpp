#include "suite/target_place.hpp"

#include <cstdio>
#include <random>

#include "artifact/error.hpp"
#include "suite/mysql_place.hpp"
#include "suite/redis_place.hpp"

namespace holdfast {
namespace {

// The server's own client, which asks for the password.
std::string client_command(const Target& target) {
  const std::string at = " -h " + target.host + (target.kind == StoreKind::redis ? " -p " : " -P ");
  const std::string there = at + std::to_string(target.port);
  const std::string user =
      target.user.empty() ? "" : (target.kind == StoreKind::redis ? " --user " : " -u ") + target.user;
  if (target.kind == StoreKind::redis) return "redis-cli" + there + user + " --askpass ping";
  return "mariadb" + there + user + " -p -e 'SELECT 1' " + target.database;
}

Unavailable unavailable(const Target& target, const std::string& why) {
  return Unavailable("the target " + target.place() + ": " + why +
                     "; remedy: mend it until this answers: " + client_command(target));
}

template <class Place>
std::unique_ptr<TargetPlace> reach(const Target& target, const std::string& run) {
  try {
    auto place = std::make_unique<Place>(target, run);
    if (!run.empty()) place->begin();
    return place;
  } catch (const StatementFailed& failed) {
    throw unavailable(target, failed.what());
  } catch (const HarnessError& failed) {
    throw unavailable(target, failed.what());
  }
}

}  // namespace

std::string new_run_name() {
  char text[32];
  std::random_device random;
  std::snprintf(text, sizeof text, "holdfast_%08x", random());
  return text;
}

std::unique_ptr<TargetPlace> open_target(const Target& target, const std::string& run) {
  if (target.kind == StoreKind::redis) return reach<RedisPlace>(target, run);
  return reach<MySqlPlace>(target, run);
}

std::unique_ptr<TargetPlace> visit_target(const Target& target) {
  return open_target(target, "");
}

}  // namespace holdfast
