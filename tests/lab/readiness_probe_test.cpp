// A server that accepts connections but does not serve is not taken for one that does.
#include "lab/readiness_probe.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "artifact/error.hpp"
#include "servers/mysql/lab_address.hpp"
#include "servers/redis/start_redis.hpp"
#include "tests/temporary_folder.hpp"

namespace holdfast {
namespace {

constexpr const char* kLoopback = "127.0.0.1";
constexpr int kShort_ms = 400;

// Accepts connections on a free port of its own and sends each the pieces, with time between them.
class Listener {
 public:
  explicit Listener(std::vector<std::string> pieces) : pieces_(std::move(pieces)) {
    fd_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in own{};
    own.sin_family = AF_INET;
    own.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof own;
    EXPECT_EQ(::bind(fd_, reinterpret_cast<sockaddr*>(&own), size), 0);
    EXPECT_EQ(::listen(fd_, 16), 0);
    ::getsockname(fd_, reinterpret_cast<sockaddr*>(&own), &size);
    port = ntohs(own.sin_port);
    thread_ = std::thread([this] { serve(); });
  }
  ~Listener() {
    ::shutdown(fd_, SHUT_RDWR);
    thread_.join();
    ::close(fd_);
  }

  int port = 0;
  std::atomic<int> connections = 0;

 private:
  void serve() {
    for (int peer; (peer = ::accept4(fd_, nullptr, nullptr, SOCK_CLOEXEC)) >= 0; ::close(peer)) {
      ++connections;
      for (const std::string& piece : pieces_) {
        (void)!::send(peer, piece.data(), piece.size(), MSG_NOSIGNAL);
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
      }
    }
  }

  std::vector<std::string> pieces_;
  int fd_ = -1;
  std::thread thread_;
};

// True if it is taken for ready, after at least one connection.
bool taken_for_ready(ReadinessProbe probe, std::vector<std::string> pieces) {
  const TemporaryFolder folder;
  Listener listener(std::move(pieces));
  probe.port = listener.port;
  Spawn spawn;
  spawn.argv = {"/bin/sleep", "100"};
  Process server = spawn_process(spawn);
  bool good = true;
  try {
    wait_for_answer(kLoopback, probe, server, folder.file("log"), kShort_ms);
  } catch (const HarnessError&) {
    good = false;
  }
  server.signal(SIGKILL);
  EXPECT_GT(listener.connections, 0);
  return good;
}

const std::string kGreeting = std::string("\x59\x00\x00\x00\x0a", 5) + "11.4.2-MariaDB";

TEST(ReadinessProbe, TakesMySqlsGreeting) {
  EXPECT_TRUE(taken_for_ready(kMySqlProbe, {kGreeting}));
}

TEST(ReadinessProbe, TakesAnAnswerInPieces) {
  EXPECT_TRUE(taken_for_ready(kMySqlProbe, {kGreeting.substr(0, 2), kGreeting.substr(2)}));
}

TEST(ReadinessProbe, AnErrorInPlaceOfAGreetingIsNotReady) {
  EXPECT_FALSE(taken_for_ready(kMySqlProbe, {std::string("\x17\x00\x00\x00\xff\x10\x04", 7) + "Too many connections"}));
}

TEST(ReadinessProbe, HalfAnAnswerIsNotReady) {
  EXPECT_FALSE(taken_for_ready(kMySqlProbe, {kGreeting.substr(0, 4)}));
}

TEST(ReadinessProbe, SilenceIsNotReady) {
  EXPECT_FALSE(taken_for_ready(kMySqlProbe, {}));
}

TEST(ReadinessProbe, RedisServesOnceItAnswersPong) {
  EXPECT_TRUE(taken_for_ready(kRedisProbe, {"+PONG\r\n"}));
  EXPECT_FALSE(taken_for_ready(kRedisProbe, {"-LOADING Redis is loading the dataset in memory\r\n"}));
}

}  // namespace
}  // namespace holdfast
