#include "runner/redis_server.hpp"

#include "artifact/error.hpp"
#include "lab/redis.hpp"

namespace holdfast {
namespace {

constexpr int kStart_ms = 20'000;
constexpr int kPatience_ms = 5'000;
constexpr const char* kMark = "holdfast:mark";

std::string log_of(const ServerPlace& place) {
  return place.folder + "/redis.log";
}

// "id=7 addr=... " for a connection, nothing for none.
std::string first_text(const Reply& reply) {
  return reply.rows.empty() ? "" : reply.field(0, 0).value_or("");
}

}  // namespace

RedisLockServer::RedisLockServer(const ServerPlace& place)
    : LockServer([place] {
        return start_redis(
            {place.folder + "/lab/redis", log_of(place), place.network, place.settings.redis_persistence, place.clock});
      }),
      log_(log_of(place)),
      persistence_(place.settings.redis_persistence) {}

void RedisLockServer::prepare(const std::string&) {
  process().when_started(
      [this](Process& process) { wait_for_answer(kLockAddress, kRedisDoor, process, log_, kStart_ms); });
}

Reply RedisLockServer::ask(const std::vector<std::string>& command, const std::string& host) {
  try {
    RedisConnection db({host, kRedisPort, kPatience_ms});
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
void RedisLockServer::end_connection(std::uint64_t connection, std::uint32_t) {
  const Reply reply = ask({"CLIENT", "KILL", "ID", std::to_string(connection)});
  if (!reply.ok()) throw HarnessError("CLIENT KILL: " + reply.message);
}

bool RedisLockServer::connection_alive(std::uint64_t connection, std::uint32_t) {
  const Reply reply = ask({"CLIENT", "LIST", "ID", std::to_string(connection)});
  if (!reply.ok()) throw HarnessError("CLIENT LIST: " + reply.message);
  return !first_text(reply).empty();
}

// A kill is no power loss: what the server has handed to the kernel stays, and it hands its log over before it answers.
Durability RedisLockServer::durability() const {
  return persistence_ == "none" ? Durability::may_be_lost : Durability::kept;
}

void RedisLockServer::leave_mark(std::int64_t n) {
  const Reply reply = ask({"SET", kMark, std::to_string(n)});
  if (!reply.ok()) throw HarnessError("the mark cannot be left: " + reply.message);
}

std::optional<bool> RedisLockServer::mark_kept(std::int64_t n) {
  return mark_kept_at(kLockAddress, n);
}

std::optional<bool> RedisLockServer::mark_kept_at(const std::string& host, std::int64_t n) {
  try {
    const Reply reply = RedisConnection({host, kRedisPort, kPatience_ms}).command({"GET", kMark});
    if (!reply.ok()) return std::nullopt;  // it is still reading its log
    return first_text(reply) == std::to_string(n);
  } catch (const StatementFailed&) {
    return std::nullopt;
  }
}

std::optional<ServerTime> RedisLockServer::clock() {
  try {
    RedisConnection db({kLockAddress, kRedisPort, kPatience_ms});
    db.connect();
    ServerTime out;
    out.asked_ns = host_wall_ns();
    const Reply reply = db.command({"TIME"});
    out.answered_ns = host_wall_ns();
    if (!reply.ok()) throw HarnessError("the server's clock cannot be read: " + reply.message);
    const auto number = [&reply](std::size_t i) { return std::stoll(reply.rows.at(i).at(0).value()); };
    out.server_ns = number(0) * 1'000'000'000 + number(1) * 1'000;
    return out;
  } catch (const StatementFailed&) {
    return std::nullopt;
  }
}

}  // namespace holdfast
