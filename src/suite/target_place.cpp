#include "suite/target_place.hpp"

#include <algorithm>
#include <cstdio>
#include <random>

#include "artifact/error.hpp"
#include "artifact/shell_command.hpp"
#include "reports/visible.hpp"
#include "suite/mysql_place.hpp"
#include "suite/redis_place.hpp"

namespace holdfast {
namespace {

// The server's own client, which asks for the password.
std::string client_command(const Target& target) {
  const bool redis = target.server == "redis";
  const Security& security = target.security;
  ShellCommand out(redis ? "redis-cli" : "mariadb");
  out.flag("-h", target.host).literal(redis ? Literal("-p") : Literal("-P")).word(std::to_string(target.port));
  if (!target.user.empty()) out.literal(redis ? Literal("--user") : Literal("-u")).word(target.user);
  if (security.tls) out.literal(redis ? Literal("--tls") : Literal("--ssl-verify-server-cert"));
  if (redis) {
    if (!security.ca.empty()) out.flag("--cacert", security.ca);
    return out.literal("--askpass ping").text();
  }
  if (security.tls && !security.ca.empty()) out.word("--ssl-ca=" + security.ca);
  return out.literal("-p").flag("-e", "SELECT 1").word(target.database).text();
}

Unavailable unavailable(const Target& target, const std::string& why) {
  return Unavailable("the target " + target.place() + ": " + why +
                     "; remedy: mend it until this answers: " + client_command(target));
}

// StatementFailed and HarnessError are both what the server did.
template <class Ask>
auto or_unavailable(const Target& target, Ask ask) {
  try {
    return ask();
  } catch (const StatementFailed& failed) {
    throw unavailable(target, failed.what());
  } catch (const HarnessError& failed) {
    throw unavailable(target, failed.what());
  }
}

template <class Place>
std::unique_ptr<TargetPlace> reach(const Target& target, const std::string& run) {
  return or_unavailable(target, [&] {
    auto place = std::make_unique<Place>(target, run);
    if (!run.empty()) place->begin();
    return place;
  });
}

}  // namespace

std::string named(const std::string& name) {
  return fitted(name, kMostOfName);
}

std::string told(const std::vector<std::string>& foreign) {
  constexpr std::size_t kMostNames = 5;
  if (foreign.empty()) return "";
  std::string out;
  for (std::size_t i = 0; i < std::min(foreign.size(), kMostNames); ++i) {
    out += (i == 0 ? "'" : ", '") + named(foreign[i]) + "'";
  }
  if (foreign.size() > kMostNames) out += " and " + std::to_string(foreign.size() - kMostNames) + " more";
  return out + ": named like holdfast's, and not holdfast's; left alone";
}

std::string new_run_name() {
  char text[32];
  std::random_device random;
  std::snprintf(text, sizeof text, "holdfast_%08x", random());
  return text;
}

std::unique_ptr<TargetPlace> open_target(const Target& target, const std::string& run) {
  if (target.server == "redis") return reach<RedisPlace>(target, run);
  return reach<MySqlPlace>(target, run);
}

Sweep swept(TargetPlace& place) {
  return or_unavailable(place.target(), [&place] { return place.sweep(); });
}

std::unique_ptr<TargetPlace> visit_target(const Target& target) {
  return open_target(target, "");
}

}  // namespace holdfast
