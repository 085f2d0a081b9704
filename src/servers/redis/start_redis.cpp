#include "servers/redis/start_redis.hpp"

#include <charconv>
#include <filesystem>
#include <optional>

#include "artifact/error.hpp"
#include "lab/network.hpp"
#include "servers/server_choice.hpp"
#include "servers/server_type.hpp"

namespace holdfast {
namespace {

const Package kPackage{"redis-tools", "redis"};

std::optional<std::string> installed(const char* program) {
  try {
    return find_program(program, kPackage);
  } catch (const Unavailable&) {
    return std::nullopt;
  }
}

// One program is the server and the file checker, depending on its name; Debian's redis-tools and valkey-tools have it
// as the checker only. A link gives it the server's name without installing a service. Valkey is used if Redis is not
// installed.
std::string redis_program(const std::string& folder) {
  if (const auto chosen = chosen_server("redis-server")) return *chosen;
  if (const auto server = installed("redis-server")) return *server;
  for (const char* name : {"redis-check-rdb", "valkey-server", "valkey-check-rdb"}) {
    const auto program = installed(name);
    if (!program) continue;
    std::string link = folder + "/redis-server";
    if (!std::filesystem::exists(link)) std::filesystem::create_symlink(*program, link);
    return link;
  }
  return find_program("redis-check-rdb", kPackage);  // throws with install instructions
}

std::vector<std::string> redis_words(const RedisSpec& spec) {
  return {"--port",
          std::to_string(spec.port),
          "--bind",
          "0.0.0.0",  // the address itself may not exist yet
          "--protected-mode",
          "no",
          "--dir",
          spec.data,
          "--save",
          "",
          "--appendonly",
          spec.persistence == "none" ? "no" : "yes",
          "--appendfsync",
          spec.persistence.rfind("aof_", 0) == 0 ? spec.persistence.substr(4) : "everysec",
          "--repl-diskless-sync-delay",
          "0",  // by default a replication waits five seconds for further replicas
          "--maxclients",
          "1000",
          "--databases",
          std::to_string(spec.databases),
          "--daemonize",
          "no"};
}

}  // namespace

std::string redis_persistence(const ServerSettings& settings) {
  const JsonNode node = settings_for(server_type("redis"), settings);
  ObjectReader in(node);
  std::string out = in.choice("redis_persistence", {"none", "aof_always", "aof_everysec", "aof_no"}).value_or("none");
  in.finish();
  return out;
}

Process start_redis(const RedisSpec& spec) {
  std::filesystem::create_directories(spec.data);
  Spawn spawn;
  spawn.argv = {redis_program(spec.data)};
  if (!spec.config.empty()) spawn.argv.push_back(spec.config);
  for (const std::string& word : redis_words(spec)) spawn.argv.push_back(word);
  spawn.network = spec.network;
  spawn.log = spec.log;
  if (spec.clock != nullptr) spec.clock->equip(spawn);
  return spawn_process(spawn);
}

Process start_sentinel(const RedisSpec& spec) {
  std::filesystem::create_directories(spec.data);
  Spawn spawn;
  spawn.argv = {redis_program(spec.data), spec.config, "--sentinel"};
  spawn.network = spec.network;
  spawn.log = spec.log;
  return spawn_process(spawn);
}

RedisAddress redis_address(const Target& target) {
  RedisAddress out;
  out.host = target.host;
  out.port = static_cast<int>(target.port);
  out.user = target.user;
  out.password = target.password;
  std::from_chars(target.database.data(), target.database.data() + target.database.size(), out.database);
  out.security = target.security;
  return out;
}

}  // namespace holdfast
