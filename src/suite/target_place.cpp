#include "suite/target_place.hpp"

#include <algorithm>
#include <cstdio>
#include <random>

#include "artifact/error.hpp"
#include "reports/rerun.hpp"  // shell_word
#include "reports/visible.hpp"
#include "suite/mysql_place.hpp"
#include "suite/redis_place.hpp"

namespace holdfast {
namespace {

std::string given(const std::string& flag, const std::string& value) {
  return value.empty() ? "" : flag + shell_word(value);
}

// The server's own client, which asks for the password.
std::string client_command(const Target& target) {
  const std::string at = " -h " + shell_word(target.host) + (target.kind == StoreKind::redis ? " -p " : " -P ");
  const std::string there = at + std::to_string(target.port);
  const std::string user =
      target.user.empty() ? "" : (target.kind == StoreKind::redis ? " --user " : " -u ") + shell_word(target.user);
  const Security& security = target.security;
  if (target.kind == StoreKind::redis) {
    const std::string tls = security.tls ? " --tls" : "";
    return "redis-cli" + there + user + tls + given(" --cacert ", security.ca) + " --askpass ping";
  }
  const std::string tls = security.tls ? " --ssl-verify-server-cert" + given(" --ssl-ca=", security.ca) : "";
  return "mariadb" + there + user + tls + " -p -e 'SELECT 1' " + shell_word(target.database);
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
  return clipped(visible(name), kMostOfName);
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
  if (target.kind == StoreKind::redis) return reach<RedisPlace>(target, run);
  return reach<MySqlPlace>(target, run);
}

Sweep swept(TargetPlace& place) {
  return or_unavailable(place.target(), [&place] { return place.sweep(); });
}

std::unique_ptr<TargetPlace> visit_target(const Target& target) {
  return open_target(target, "");
}

}  // namespace holdfast
