#include "lab/redis.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "artifact/error.hpp"
#include "lab/network.hpp"
#include "lab/server_choice.hpp"

namespace holdfast {
namespace {

constexpr int kLook_ms = 5;

// One program is server, checker and client of the files, by the name that it is called by; Debian 12's redis-tools has
// it as the checker only. A link gives it the server's name without installing a service.
std::string redis_program(const std::string& folder) {
  try {
    return find_server("redis-server", "redis-server");
  } catch (const Unavailable&) {
    const std::string checker = find_program("redis-check-rdb", "redis-tools");
    std::string link = folder + "/redis-server";
    if (!std::filesystem::exists(link)) std::filesystem::create_symlink(checker, link);
    return link;
  }
}

bool answers(const std::string& host, int port) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) return false;
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(static_cast<std::uint16_t>(port));
  ::inet_pton(AF_INET, host.c_str(), &to.sin_addr);
  (void)::connect(fd, reinterpret_cast<const sockaddr*>(&to), sizeof to);
  pollfd door{fd, POLLOUT, 0};
  char byte = 0;
  bool good = ::poll(&door, 1, 200) == 1 && ::send(fd, "PING\r\n", 6, MSG_NOSIGNAL) == 6;
  door.events = POLLIN;
  good = good && ::poll(&door, 1, 200) == 1 && ::read(fd, &byte, 1) == 1 && byte == '+';
  ::close(fd);
  return good;
}

std::string last_line(const std::string& file) {
  std::ifstream in(file);
  std::string last;
  for (std::string line; std::getline(in, line);) last = line.empty() ? last : line;
  return last;
}

}  // namespace

Process start_redis(const RedisSpec& spec) {
  std::filesystem::create_directories(spec.data);
  Spawn spawn;
  spawn.argv = {redis_program(spec.data),
                "--port",
                std::to_string(kRedisPort),
                "--bind",
                "0.0.0.0",  // the address itself may not be there yet
                "--protected-mode",
                "no",
                "--dir",
                spec.data,
                "--save",
                "",
                "--appendonly",
                spec.persistence == "none" ? "no" : "yes",
                "--appendfsync",
                spec.persistence == "aof_always" ? "always" : "everysec",
                "--repl-diskless-sync-delay",
                "0",  // by default a replica waits five seconds for others to come
                "--maxclients",
                "1000",
                "--databases",
                "1",
                "--daemonize",
                "no"};
  spawn.network = spec.network;
  spawn.log = spec.log;
  if (spec.clock != nullptr) spec.clock->equip(spawn);
  return spawn_process(spawn);
}

void wait_for_redis(const std::string& host, Process& server, const std::string& log, int timeout_ms) {
  for (int waited_ms = 0; waited_ms < timeout_ms; waited_ms += kLook_ms) {
    if (answers(host, kRedisPort)) return;
    if (server.wait(kLook_ms)) throw HarnessError("the Redis server ended at once: " + last_line(log));
  }
  throw HarnessError("the Redis server does not answer: " + last_line(log));
}

}  // namespace holdfast
