#include "servers/redis/redis_servers.hpp"

#include <filesystem>

#include "artifact/json_text.hpp"
#include "servers/redis/start_redis.hpp"

namespace holdfast {
namespace {

constexpr int kQuestion_ms = 1'000;

// Location of the server with that number. The first has the name of a single server.
RedisPlace redis_place(const ServerConfig& config, std::uint32_t server) {
  RedisPlace out;
  if (server > 0) out.name += "-" + std::to_string(server);
  out.host = kServerAddresses.at(server);
  out.network = config.networks.at(server);
  out.data = config.place_of_data(server) + "/" + out.name;
  if (!config.clocks.empty()) out.clock = config.clocks.at(server);
  return out;
}

}  // namespace

std::string write_redis_config(const std::string& folder, const std::string& text) {
  std::filesystem::create_directories(folder);
  std::string path = folder + "/settings.conf";
  write_text_file(path, text);
  return path;
}

std::string said_by_redis(const Reply& reply, const std::string& key) {
  if (!reply.ok() || reply.rows.empty()) return "";
  const std::string text = "\n" + reply.field(0, 0).value_or("");
  const std::string mark = "\n" + key + ":";
  const auto at = text.find(mark);
  if (at == std::string::npos) return "";
  const auto begin = at + mark.size();
  return text.substr(begin, text.find_first_of("\r\n", begin) - begin);
}

std::optional<Reply> ask_redis(const std::string& host, int port, const std::vector<std::string>& command) {
  RedisAddress address;
  address.host = host;
  address.port = port;
  address.timeout_ms = kQuestion_ms;
  try {
    Reply reply = RedisConnection(address).command(command);
    return reply.ok() ? std::optional(std::move(reply)) : std::nullopt;
  } catch (const StatementFailed&) {
    return std::nullopt;
  }
}

RedisServers::RedisServers(const ServerConfig& config)
    : RedisServers(config, [&config](std::uint32_t, const RedisPlace& place) {
        return std::make_unique<RedisLockServer>(config, place);
      }) {}

RedisServers::RedisServers(const ServerConfig& config, const Make& make)
    : LockServer(not_ours()), folder_(config.folder) {
  for (std::uint32_t server = 0; server < config.networks.size(); ++server) {
    servers_.push_back(make(server, redis_place(config, server)));
  }
}

std::vector<TrialServer*> RedisServers::processes() {
  std::vector<TrialServer*> out;
  for (const auto& server : servers_) out.push_back(&server->process());
  return out;
}

void RedisServers::prepare(const StatementFile& statements) {
  for (const auto& server : servers_) server->prepare(statements);
}

std::string RedisServers::version() {
  return servers_.front()->version() + " (" + std::to_string(servers_.size()) + " servers)";
}

void RedisServers::end_connection(std::uint64_t connection, std::uint32_t server) {
  servers_.at(server)->end_connection(connection, 0);
}

bool RedisServers::connection_alive(std::uint64_t connection, std::uint32_t server) {
  return servers_.at(server)->connection_alive(connection, 0);
}

}  // namespace holdfast
