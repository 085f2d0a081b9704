#include "runner/redis_server.hpp"

#include <csignal>

#include "artifact/error.hpp"
#include "lab/redis.hpp"

namespace holdfast {
namespace {

constexpr int kStart_ms = 20'000;
constexpr int kEnd_ms = 2'000;
constexpr int kPatience_ms = 5'000;

// "id=7 addr=... " for a connection, nothing for none.
std::string first_text(const Reply& reply) {
  return reply.rows.empty() ? "" : reply.field(0, 0).value_or("");
}

}  // namespace

void RedisLockServer::start(const ServerPlace& place) {
  log_ = place.folder + "/redis.log";
  process_ = start_redis({place.folder + "/lab/redis", log_, place.network, persistence_});
}

void RedisLockServer::prepare(const std::string&) {
  wait_for_redis(kLockAddress, process_, log_, kStart_ms);
}

void RedisLockServer::watch() {
  if (const auto code = process_.wait(0))
    throw HarnessError("the Redis server ended with code " + std::to_string(*code));
}

void RedisLockServer::stop() {
  process_.signal(SIGKILL);
  process_.wait(kEnd_ms);
}

Reply RedisLockServer::ask(const std::vector<std::string>& command) {
  try {
    RedisConnection db({kLockAddress, kRedisPort, kPatience_ms});
    return db.command(command);
  } catch (const StatementFailed& failed) {
    throw HarnessError(std::string("the Redis server: ") + failed.what());
  }
}

std::string RedisLockServer::version() {
  const std::string info = first_text(ask({"INFO", "server"}));
  static const std::string kKey = "redis_version:";
  const auto at = info.find(kKey);
  if (at == std::string::npos) return "Redis";
  return "Redis " + info.substr(at + kKey.size(), info.find_first_of("\r\n", at) - at - kKey.size());
}

// Killing a connection that has gone by itself counts 0, and is no mistake.
void RedisLockServer::end_connection(std::uint64_t connection) {
  const Reply reply = ask({"CLIENT", "KILL", "ID", std::to_string(connection)});
  if (!reply.ok()) throw HarnessError("CLIENT KILL: " + reply.message);
}

bool RedisLockServer::connection_alive(std::uint64_t connection) {
  const Reply reply = ask({"CLIENT", "LIST", "ID", std::to_string(connection)});
  if (!reply.ok()) throw HarnessError("CLIENT LIST: " + reply.message);
  return !first_text(reply).empty();
}

}  // namespace holdfast
