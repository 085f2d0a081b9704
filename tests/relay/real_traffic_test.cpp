// Recorded traffic of real client libraries and real servers, read by the wires: all of it is understood, and it makes
// no difference at which byte it is cut.
#include <gtest/gtest.h>
#include <mysql.h>
#include <poll.h>
#include <sched.h>
#include <sys/socket.h>

#include <arpa/inet.h>
#include <filesystem>
#include <mutex>
#include <thread>

#include "artifact/error.hpp"
#include "lab/process.hpp"
#include "relay/protocols/grpc/header_paths.hpp"
#include "tests/refusal.hpp"
#include "tests/relay/relay_lab.hpp"
#include "tests/relay/wire_reader.hpp"

namespace holdfast {
namespace {

// A door on a node's loopback that leads to the server, past the relay, and remembers what went through it.
class Recorder {
 public:
  Recorder(int network, std::uint16_t server_port)
      : network_(network), server_port_(server_port), ear_(listen_in(network, port_)), thread_([this] { take(); }) {}
  ~Recorder() {
    ending_ = true;
    thread_.join();
    for (auto& one : connections_) one.join();
  }
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  std::uint16_t port() const { return port_; }
  // For every connection that has carried something.
  std::vector<std::vector<Utterance>> heard() const {
    const std::lock_guard guard(mutex_);
    std::vector<std::vector<Utterance>> out;
    for (const auto& conversation : heard_) {
      if (!conversation.empty()) out.push_back(conversation);
    }
    return out;
  }

 private:
  void take() {
    while (!ending_) {
      pollfd ready{ear_.descriptor(), POLLIN, 0};
      if (::poll(&ready, 1, 20) <= 0) continue;
      Socket client(::accept4(ear_.descriptor(), nullptr, nullptr, SOCK_CLOEXEC));
      const std::lock_guard guard(mutex_);
      const std::size_t number = heard_.size();
      heard_.emplace_back();
      connections_.emplace_back([this, number, from = std::move(client)] { carry(number, from); });
    }
  }
  Socket reach() const {
    sockaddr_in from{}, to{};
    from.sin_family = to.sin_family = AF_INET;
    to.sin_port = htons(server_port_);
    ::inet_pton(AF_INET, kLockAddress, &to.sin_addr);
    ::inet_pton(AF_INET, Network::client_address(0).c_str(), &from.sin_addr);
    WhereThreadIs where;
    return connect_in(where, network_, from, to);
  }
  void carry(std::size_t number, const Socket& client) {
    const Socket server = reach();
    pollfd sides[2] = {{client.descriptor(), POLLIN, 0}, {server.descriptor(), POLLIN, 0}};
    char part[65536];
    while (!ending_) {
      if (::poll(sides, 2, 20) <= 0) continue;
      for (const int side : {1, 0}) {  // a reply before the next request
        if (sides[side].revents == 0) continue;
        const ssize_t n = ::recv(sides[side].fd, part, sizeof part, MSG_DONTWAIT);
        if (n == 0 || (n < 0 && errno != EAGAIN)) return;
        if (n < 0) continue;
        const std::lock_guard guard(mutex_);
        heard_[number].push_back({side == 0, std::string(part, static_cast<std::size_t>(n))});
        ::send(sides[1 - side].fd, part, static_cast<std::size_t>(n), MSG_NOSIGNAL);
      }
    }
  }

  const int network_;
  const std::uint16_t server_port_;
  std::uint16_t port_ = 0;
  Socket ear_;
  std::atomic<bool> ending_{false};
  mutable std::mutex mutex_;
  std::vector<std::vector<Utterance>> heard_;
  std::vector<std::thread> connections_;
  std::thread thread_;
};

std::size_t all_of_it(std::size_t left) {
  return left;
}

// Cut at one place, and then at the next, in every part of it.
void same_however_cut(const std::string& name, const std::vector<Utterance>& conversation, const std::string& whole) {
  EXPECT_EQ(told(name, conversation, "orders", [](std::size_t) { return 1; }), whole);
  for (std::size_t part = 0; part < conversation.size(); ++part) {
    const std::string& bytes = conversation[part].bytes;
    for (std::size_t at = 1; at < bytes.size(); ++at) {
      auto cut = conversation;
      cut[part].bytes = bytes.substr(0, at);
      cut.insert(cut.begin() + static_cast<std::ptrdiff_t>(part) + 1, {conversation[part].by_client, bytes.substr(at)});
      ASSERT_EQ(told(name, cut, "orders", all_of_it), whole) << "part " << part << ", byte " << at;
    }
  }
}

void is_understood(const std::string& name, const Recorder& recorder) {
  std::size_t counted = 0;
  const auto heard = recorder.heard();
  ASSERT_FALSE(heard.empty());
  for (const auto& conversation : heard) {
    const std::string whole = told(name, conversation, "orders", all_of_it);
    EXPECT_FALSE(contains(whole, "opaque") || contains(whole, "unknown")) << whole;
    counted += contains(whole, " counts") ? 1U : 0U;
    same_however_cut(name, conversation, whole);
  }
  EXPECT_GT(counted, 0U) << "a lock is named";
}

class RealTraffic : public testing::Test {
 protected:
  // The script knows the door as PORT.
  std::string said_by(const std::vector<std::string>& program, std::string script, const Recorder& recorder) {
    for (std::size_t at = 0; (at = script.find("PORT", at)) != std::string::npos;) {
      script.replace(at, 4, std::to_string(recorder.port()));
    }
    auto argv = program;
    argv.push_back(script);
    return lab_.run(0, argv);
  }

  RelayLab lab_{"resp", {"orders"}};
};

TEST_F(RealTraffic, RedisPyIsParsed) {
  lab_.start_redis();
  const Recorder recorder(lab_.node(0), kRedisPort);
  const std::string said =
      said_by({"/usr/bin/python3", "-c"},
              "import redis\n"
              "r = redis.Redis('127.0.0.1', PORT)\n"
              "lock = r.lock('orders', timeout=5)\n"
              "lock.acquire(); lock.extend(3); lock.release()\n"
              "with r.pipeline(transaction=True) as p:\n"
              "  p.set('orders', b'\\r\\n$1'); p.get('orders'); p.delete('orders'); print(p.execute())\n",
              recorder);
  if (contains(said, "No module named")) GTEST_SKIP() << "python3-redis is not installed";
  EXPECT_EQ(said, "[True, b'\\r\\n$1', 1]\n");
  is_understood("resp", recorder);
}

TEST_F(RealTraffic, RedisCliIsParsed) {
  lab_.start_redis();
  const Recorder recorder(lab_.node(0), kRedisPort);
  const std::string cli = find_program("redis-cli", {"redis-tools", "redis"});
  const std::string port = std::to_string(recorder.port());
  EXPECT_EQ(lab_.run(0, {cli, "-3", "-p", port, "hset", "orders", "a", "1"}), "1\n");
  EXPECT_EQ(lab_.run(0, {cli, "-3", "-p", port, "hgetall", "orders"}), "a 1\n");
  is_understood("resp", recorder);
}

TEST_F(RealTraffic, IoredisIsParsed) {
  const std::string there = std::string(HOLDFAST_SOURCE) + "/adapters/redis_token_node/node_modules/ioredis";
  if (!std::filesystem::exists(there)) GTEST_SKIP() << there << " is not installed: npm ci, in the adapter's folder";
  lab_.start_redis();
  const Recorder recorder(lab_.node(0), kRedisPort);
  const std::string script = "const r = new (require('" + there +
                             "'))({port: PORT, host: '127.0.0.1', enableReadyCheck: false});\n"
                             "(async () => {\n"
                             "  console.log(await r.set('orders', 'é', 'PX', 5000, 'NX'));\n"
                             "  console.log(await r.eval('return redis.call(\"get\", KEYS[1])', 1, 'orders'));\n"
                             "  console.log((await r.multi().del('orders').get('orders').exec()).length);\n"
                             "  r.disconnect();\n})();\n";
  EXPECT_EQ(said_by({find_program("node", {"nodejs", "nodejs"}), "-e"}, script, recorder), "OK\né\n2\n");
  is_understood("resp", recorder);
}

TEST_F(RealTraffic, PyMySqlIsParsed) {
  lab_.start_mariadb();
  const Recorder recorder(lab_.node(0), kMariaDbPort);
  const std::string said = said_by({"/usr/bin/python3", "-c"},
                                   "import pymysql\n"
                                   "d = pymysql.connect(host='127.0.0.1', port=PORT, user='root', ssl_disabled=True)\n"
                                   "c = d.cursor()\n"
                                   "c.execute(\"SELECT GET_LOCK('orders', 1), NULL, 'é'\"); print(c.fetchone()[0])\n"
                                   "c.execute(\"SELECT RELEASE_LOCK('orders')\"); print(c.fetchall())\n"
                                   "d.commit(); d.close()\n",
                                   recorder);
  if (contains(said, "No module named")) GTEST_SKIP() << "python3-pymysql is not installed";
  EXPECT_EQ(said, "1\n((1,),)\n");
  is_understood("mysql", recorder);
}

TEST_F(RealTraffic, EtcdctlIsParsed) {
  if (!HeaderPaths::missing().empty()) GTEST_SKIP() << HeaderPaths::missing();
  std::string etcdctl;
  try {
    etcdctl = find_program("etcdctl", {"etcd-client", "etcd"});
    lab_.start_etcd();
  } catch (const Unavailable& missing) {
    GTEST_SKIP() << missing.what();
  }
  const Recorder recorder(lab_.node(0), kEtcdPort);
  const std::string endpoint = "--endpoints=127.0.0.1:" + std::to_string(recorder.port());
  const std::string before = "ETCDCTL_API=3";
  const std::string script = before + " " + etcdctl + " " + endpoint + " put orders 1 && " + before + " " + etcdctl +
                             " " + endpoint + " lock --ttl 2 orders sleep 1";
  EXPECT_EQ(lab_.run(0, {"/bin/sh", "-c", script}), "OK\n");
  is_understood("grpc", recorder);
}

// The library that the program itself is built with.
TEST_F(RealTraffic, MySqlClientLibraryIsParsed) {
  lab_.start_mariadb();
  const Recorder recorder(lab_.node(0), kMariaDbPort);
  bool good = false;
  std::thread([&] {
    if (::setns(lab_.node(0), CLONE_NEWNET) != 0) return;
    MYSQL* handle = ::mysql_init(nullptr);
    good = ::mysql_real_connect(handle, "127.0.0.1", "root", "", nullptr, recorder.port(), nullptr,
                                CLIENT_MULTI_STATEMENTS) != nullptr;
    const std::string several = "DO 1; SELECT 'orders', REPEAT('x', 300); SELECT nonsense";
    good = good && ::mysql_real_query(handle, several.data(), several.size()) == 0;
    do {
      ::mysql_free_result(::mysql_store_result(handle));
    } while (good && ::mysql_next_result(handle) == 0);
    const std::string prepared = "SELECT ?, 'orders'";
    MYSQL_STMT* statement = ::mysql_stmt_init(handle);
    good = good && ::mysql_stmt_prepare(statement, prepared.data(), prepared.size()) == 0;
    int seven = 7;
    MYSQL_BIND bind{};
    bind.buffer_type = MYSQL_TYPE_LONG;
    bind.buffer = &seven;
    good = good && ::mysql_stmt_bind_param(statement, &bind) == 0 && ::mysql_stmt_execute(statement) == 0;
    good = good && ::mysql_stmt_store_result(statement) == 0;
    ::mysql_stmt_close(statement);
    ::mysql_close(handle);
  }).join();
  EXPECT_TRUE(good);
  is_understood("mysql", recorder);
}

}  // namespace
}  // namespace holdfast
