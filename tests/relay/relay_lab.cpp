#include "tests/relay/relay_lab.hpp"

#include <arpa/inet.h>
#include <poll.h>
#include <sched.h>
#include <sys/socket.h>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "artifact/error.hpp"
#include "artifact/poll_until.hpp"
#include "relay/redirect_rules.hpp"

namespace holdfast {
namespace {

sockaddr_in socket_address(const std::string& address, std::uint16_t port) {
  sockaddr_in out{};
  out.sin_family = AF_INET;
  out.sin_port = htons(port);
  ::inet_pton(AF_INET, address.c_str(), &out.sin_addr);
  return out;
}

// Each lab of this process has a folder of its own.
std::string new_folder() {
  static int count = 0;
  const std::string out =
      std::string(std::getenv("HOLDFAST_RELAY_TEST_FOLDER")) + "/lab/relay-" + std::to_string(++count);
  std::filesystem::create_directories(out);
  return out;
}

bool greets(int network, std::uint16_t port, const std::string& ask, const std::string& expected) {
  try {
    NodeClient client(network, kLockAddress, port);
    client.send(ask);
    return client.read_to_end(200).find(expected) != std::string::npos;
  } catch (const HarnessError&) {
    return false;
  }
}

}  // namespace

NodeClient::NodeClient(int network, const std::string& address, std::uint16_t port) {
  int why = 0;
  std::thread there([&] {
    if (::setns(network, CLONE_NEWNET) == 0) socket_ = Socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const sockaddr_in to = socket_address(address, port);
    if (!socket_.open() || ::connect(socket_.descriptor(), reinterpret_cast<const sockaddr*>(&to), sizeof to) != 0) {
      why = errno;
    }
  });
  there.join();
  if (why != 0) throw HarnessError("connect: " + system_text(why));
}

void NodeClient::send(const std::string& bytes) {
  for (std::size_t at = 0; at < bytes.size();) {
    const ssize_t n = ::send(socket_.descriptor(), bytes.data() + at, bytes.size() - at, MSG_NOSIGNAL);
    if (n <= 0) return;
    at += static_cast<std::size_t>(n);
  }
}

bool NodeClient::wait_readable(int for_ms) {
  pollfd wait{socket_.descriptor(), POLLIN, 0};
  return ::poll(&wait, 1, for_ms) > 0;
}

std::string NodeClient::read(std::size_t bytes) {
  std::string out;
  char part[4096];
  while (out.size() < bytes && wait_readable(kPatience_ms)) {
    const ssize_t n = ::recv(socket_.descriptor(), part, std::min(sizeof part, bytes - out.size()), 0);
    if (n < 0) error_ = errno;
    if (n <= 0) break;
    out.append(part, static_cast<std::size_t>(n));
  }
  return out;
}

std::string NodeClient::read_to_end(int for_ms) {
  std::string out;
  while (wait_readable(for_ms)) {
    const std::string part = read(1);
    if (part.empty()) break;
    out += part;
  }
  return out;
}

std::string NodeClient::ask(const std::string& bytes, const std::string& reply) {
  send(bytes);
  return read(reply.size());
}

bool NodeClient::silent(int for_ms) {
  return !wait_readable(for_ms);
}

bool NodeClient::ended() {
  return wait_readable(kPatience_ms) && read(1).empty();
}

void NodeClient::half_close() {
  ::shutdown(socket_.descriptor(), SHUT_WR);
}

RelayLab::RelayLab(const std::string& protocol, std::vector<std::string> locks, std::size_t most_records)
    : folder_(new_folder()) {
  // Apart from the bridge of the test before, which the kernel may not have taken down yet.
  if (::unshare(CLONE_NEWNET) != 0) throw HarnessError("unshare: " + system_text(errno));
  network_ = std::make_unique<Network>(folder_ + "/network.log");
  server_ = network_->add_node("db", {kLockAddress, kResourceAddress}, true);
  for (std::size_t n = 0; n < 2; ++n) {
    nodes_.push_back(network_->add_node("c" + std::to_string(n), {Network::client_address(n)}));
  }
  network_->up();
  relay_ = std::make_unique<Relay>(RelaySettings{std::move(locks), most_records});
  for (std::size_t n = 0; n < 2; ++n) {
    clients_.push_back(relay_->add_client(node(n)));
    const Redirect redirect{.ports = {kRedisPort, kMariaDbPort, kEtcdPort},
                            .to_port = relay_->listen(clients_.back(), protocol),
                            .spared = {kResourceAddress}};
    load_redirect(node(n), redirect_rules(redirect), folder_ + "/nft.log");
  }
}

// Debian's redis-tools has the server under another name: its name decides its behaviour.
void RelayLab::start_redis() {
  const std::string log = folder_ + "/redis.log";
  const std::string link = folder_ + "/redis-server";
  if (!std::filesystem::exists(link)) {
    std::filesystem::create_symlink(find_program("redis-check-rdb", {"redis-tools", "redis"}), link);
  }
  start({link, "--bind", "0.0.0.0", "--protected-mode", "no", "--save", "", "--dir", folder_, "--maxclients", "2000"},
        log);
  const auto answers = [&] { return greets(server_node(), kRedisPort, "PING\r\n", "+PONG"); };
  if (!poll_until(answers, 5, after_ms(3 * kPatience_ms))) throw HarnessError("Redis did not start; see " + log);
}

void RelayLab::start_mariadb() {
  const std::string log = folder_ + "/mariadb.log";
  const std::string data = folder_ + "/mariadb";
  std::filesystem::create_directories(data);
  start({find_program("mariadbd", {"mariadb-server-core", "mariadb-server"}), "--no-defaults", "--datadir=" + data,
         "--tmpdir=" + data, "--socket=s", "--pid-file=pid", "--skip-grant-tables", "--skip-ssl", "--user=root",
         "--skip-name-resolve", "--innodb-buffer-pool-size=8M", "--innodb-log-file-size=4M"},
        log);
  const auto answers = [&] { return greets(server_node(), kMariaDbPort, "", "MariaDB"); };
  if (!poll_until(answers, 5, after_ms(3 * kPatience_ms))) throw HarnessError("MariaDB did not start; see " + log);
}

void RelayLab::start_etcd() {
  const std::string log = folder_ + "/etcd.log";
  start({find_program("etcd", {"etcd-server", "etcd"}), "--data-dir", folder_ + "/etcd", "--listen-client-urls",
         "http://0.0.0.0:2379", "--advertise-client-urls", "http://" + std::string(kLockAddress) + ":2379",
         "--listen-peer-urls", "http://127.0.0.1:2380"},
        log);
  const auto answers = [&] { return greets(server_node(), kEtcdPort, "GET /health HTTP/1.0\r\n\r\n", "true"); };
  if (!poll_until(answers, 5, after_ms(3 * kPatience_ms))) throw HarnessError("etcd did not start; see " + log);
}

void RelayLab::start(const std::vector<std::string>& argv, const std::string& log) {
  Spawn spawn;
  spawn.argv = argv;
  spawn.network = server_node();
  spawn.log = log;
  process_ = spawn_process(spawn);
}

RelayLab::~RelayLab() {
  if (process_.pid() > 0) kill_server();
}

void RelayLab::kill_server() {
  process_.signal(SIGKILL);
  process_.wait(kPatience_ms);
}

std::string RelayLab::run(std::size_t client, const std::vector<std::string>& argv) {
  Spawn spawn;
  spawn.argv = argv;
  spawn.network = node(client);
  spawn.log = folder_ + "/program.log";
  std::filesystem::remove(spawn.log);
  Process process = spawn_process(spawn);
  if (!process.wait(2 * kPatience_ms)) {
    process.signal(SIGKILL);
    process.wait(kPatience_ms);
  }
  std::ostringstream said;
  said << std::ifstream(spawn.log).rdbuf();
  return said.str();
}

Reached RelayLab::reached() {
  auto out = relay_->next_stop(kPatience_ms);
  if (!out) throw HarnessError("no stop was reached");
  return *out;
}

RequestPointOutcome RelayLab::outcome(RequestPointId stop) {
  RequestPointOutcome out;
  poll_until(
      [&] {
        out = relay_->outcome(stop);
        return out.done || !out.impossible.empty();
      },
      1, after_ms(kPatience_ms));
  return out;
}

std::vector<RequestRecord> RelayLab::records() {
  std::vector<RequestRecord> out;
  poll_until(
      [&] {
        out = relay_->records();
        for (const auto& record : out) {
          if (record.answered_ns == 0) return false;
        }
        return true;
      },
      1, after_ms(kPatience_ms));
  return out;
}

std::string command(const std::vector<std::string>& words) {
  std::string out = "*" + std::to_string(words.size()) + "\r\n";
  for (const auto& word : words) out += "$" + std::to_string(word.size()) + "\r\n" + word + "\r\n";
  return out;
}

}  // namespace holdfast
