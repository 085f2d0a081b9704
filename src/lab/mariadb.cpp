#include "lab/mariadb.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <fstream>

#include "artifact/error.hpp"
#include "lab/mysql.hpp"
#include "lab/server_choice.hpp"

namespace holdfast {
namespace {

constexpr int kLook_ms = 5;

// A server that accepts but is not ready yet does not greet.
bool greets(const std::string& host, int port) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) return false;
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(static_cast<std::uint16_t>(port));
  ::inet_pton(AF_INET, host.c_str(), &to.sin_addr);
  (void)::connect(fd, reinterpret_cast<const sockaddr*>(&to), sizeof to);
  pollfd answered{fd, POLLIN, 0};
  char byte = 0;
  const bool good = ::poll(&answered, 1, 200) == 1 && ::read(fd, &byte, 1) == 1;
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

Process start_mariadb(const ServerSpec& spec) {
  const std::string program = find_server("mariadbd", "mariadb-server-core");
  if (chosen_server("mariadbd") && is_mysql(program, spec)) return start_mysql(program, spec);
  Spawn spawn;
  spawn.argv = {program,
                "--no-defaults",
                "--datadir=" + spec.data,
                "--tmpdir=" + spec.data,
                "--socket=server.sock",  // kServerSocket, relative to the data directory: a path must be short
                "--pid-file=server.pid",
                "--log-error=" + spec.log,
                "--skip-grant-tables",
                "--user=root",  // the only user that the lab maps
                "--bind-address=0.0.0.0",
                "--skip-name-resolve",
                "--max-connections=" + std::to_string(spec.connections),
                "--back-log=" + std::to_string(spec.connections),
                "--performance-schema=OFF",
                "--innodb-buffer-pool-size=8M",
                "--innodb-log-file-size=4M",
                "--innodb-log-buffer-size=2M",
                "--innodb-flush-log-at-trx-commit=" + std::to_string(spec.flush_log_at_commit),
                "--key-buffer-size=16K",
                "--aria-pagecache-buffer-size=128K",
                "--table-open-cache=64",
                "--thread-cache-size=0",
                "--default-time-zone=+00:00"};
  if (spec.only_socket) spawn.argv.emplace_back("--skip-networking");
  spawn.network = spec.network;
  spawn.log = spec.log;
  if (spec.clock != nullptr) spec.clock->equip(spawn);
  return spawn_process(spawn);
}

void wait_for_greeting(const std::string& host, int port, Process& server, const std::string& log, int timeout_ms) {
  for (int waited_ms = 0; waited_ms < timeout_ms; waited_ms += kLook_ms) {
    if (greets(host, port)) return;
    if (server.wait(kLook_ms)) throw HarnessError("the server ended at once: " + last_line(log));
  }
  throw HarnessError("the server does not answer: " + last_line(log));
}

}  // namespace holdfast
