#include "suite/target_place.hpp"

#include <cstdio>
#include <random>

#include "artifact/error.hpp"
#include "suite/mysql_place.hpp"
#include "suite/redis_place.hpp"

namespace holdfast {
namespace {

Unavailable unavailable(const Target& target, const std::string& why) {
  return Unavailable("the target " + target.place() + ": " + why);
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
