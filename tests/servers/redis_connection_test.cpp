// Answers of a Redis server, and their meaning for the session. The server is a socket that sends canned bytes.
#include "servers/redis/redis_connection.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <thread>

namespace holdfast {
namespace {

constexpr const char* kSilence = "silence";
constexpr const char* kClosed = "closed";

RedisAddress here(int port, std::int64_t timeout_ms) {
  RedisAddress out;
  out.host = "127.0.0.1";
  out.port = port;
  out.timeout_ms = timeout_ms;
  return out;
}

// Answers CLIENT ID with 7, then the one command with `answer`, and keeps what it was sent.
class OneCommandServer {
 public:
  explicit OneCommandServer(std::string answer) : answer_(std::move(answer)) {
    listener_ = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof at;
    EXPECT_EQ(::bind(listener_, reinterpret_cast<sockaddr*>(&at), sizeof at), 0);
    EXPECT_EQ(::listen(listener_, 1), 0);
    ::getsockname(listener_, reinterpret_cast<sockaddr*>(&at), &length);
    port_ = ntohs(at.sin_port);
    thread_ = std::thread([this] { serve(); });
  }
  ~OneCommandServer() { finish(); }

  int port() const { return port_; }
  std::string sent() {
    finish();
    return sent_;
  }

 private:
  void finish() {
    if (!thread_.joinable()) return;
    ::shutdown(listener_, SHUT_RDWR);
    thread_.join();
    ::close(listener_);
  }
  void serve() {
    const int client = ::accept(listener_, nullptr, nullptr);
    if (client < 0) return;
    char bytes[4096];
    if (::read(client, bytes, sizeof bytes) > 0) say(client, ":7\r\n");
    if (const ssize_t n = ::read(client, bytes, sizeof bytes); n > 0) {
      sent_.assign(bytes, static_cast<std::size_t>(n));
      if (answer_ != kSilence && answer_ != kClosed) say(client, answer_);
      if (answer_ != kClosed && ::read(client, bytes, sizeof bytes) < 0) sent_ += "?";  // until the client goes
    }
    ::close(client);
  }
  static void say(int client, const std::string& text) {
    EXPECT_EQ(::send(client, text.data(), text.size(), MSG_NOSIGNAL), static_cast<ssize_t>(text.size()));
  }

  std::string answer_;
  std::string sent_;
  int listener_ = -1;
  int port_ = 0;
  std::thread thread_;
};

Reply answered(const std::string& answer) {
  OneCommandServer server(answer);
  RedisConnection db(here(server.port(), 5000));
  return db.command({"GET", "a"});
}

StatementFailed failure(const std::string& answer, std::int64_t timeout_ms) {
  OneCommandServer server(answer);
  RedisConnection db(here(server.port(), timeout_ms));
  try {
    db.command({"GET", "a"});
  } catch (const StatementFailed& failed) {
    EXPECT_EQ(db.id() == 0, failed.reason != Reason::other) << "a lost connection is given up, no other";
    return failed;
  }
  return {true, Reason::none, 0, "nothing thrown"};
}

TEST(RedisConnection, SendsAListOfArguments) {
  OneCommandServer server("+OK\r\n");
  {
    RedisConnection db(here(server.port(), 5000));
    EXPECT_EQ(db.id(), 0u);
    EXPECT_TRUE(db.command({"SET", "a b", std::string("x\0\r\n'", 5)}).ok());
    EXPECT_EQ(db.id(), 7u);
  }
  EXPECT_EQ(server.sent(), std::string("*3\r\n$3\r\nSET\r\n$3\r\na b\r\n$5\r\nx\0\r\n'\r\n", 33));
}

TEST(RedisConnection, RepliesGiveChangesOrValues) {
  EXPECT_EQ(answered("+OK\r\n").affected, 1);
  EXPECT_EQ(answered(":2\r\n").affected, 2);
  const Reply nothing = answered("$-1\r\n");
  EXPECT_TRUE(nothing.ok());
  EXPECT_EQ(nothing.affected, 0);
  EXPECT_TRUE(nothing.rows.empty());
  const Reply value = answered("$3\r\nabc\r\n");
  EXPECT_EQ(value.field(0, 0), "abc");
  EXPECT_EQ(value.evidence(), 0) << "what was read is no change";
  const Reply several = answered("*3\r\n$1\r\na\r\n:4\r\n$-1\r\n");
  ASSERT_EQ(several.rows.size(), 3u);
  EXPECT_EQ(several.field(1, 0), "4");
  EXPECT_FALSE(several.field(2, 0));
}

TEST(RedisConnection, AnErrorOfTheServerIsInTheReply) {
  const Reply refused = answered("-WRONGTYPE no string\r\n");
  EXPECT_EQ(refused.error, kRedisError);
  EXPECT_EQ(refused.message, "WRONGTYPE no string");
  EXPECT_EQ(refused.kind, ErrorKind::unknown);
  for (const char* word : {"LOADING Redis is loading", "MASTERDOWN Link", "CLUSTERDOWN The cluster is down"}) {
    EXPECT_EQ(answered("-" + std::string(word) + "\r\n").kind, ErrorKind::unavailable) << word;
  }
  EXPECT_EQ(answered("-LOADINGS\r\n").kind, ErrorKind::unknown);
}

TEST(RedisConnection, AScriptThatFailedMayHaveChangedSomething) {
  const StatementFailed failed = failure("-ERR user_script:1: x script: f00, on @user_script:1.\r\n", 5000);
  EXPECT_FALSE(failed.definite);
  EXPECT_EQ(failed.reason, Reason::other);
}

TEST(RedisConnection, NoAnswerIsIndeterminate) {
  const StatementFailed late = failure(kSilence, 50);
  EXPECT_FALSE(late.definite);
  EXPECT_EQ(late.reason, Reason::timeout) << late.what();
  const StatementFailed closed = failure(kClosed, 5000);
  EXPECT_FALSE(closed.definite);
  EXPECT_EQ(closed.reason, Reason::unavailable) << closed.what();
  EXPECT_FALSE(failure("nonsense\r\n", 5000).definite);
}

TEST(RedisConnection, NoServerIsDefinite) {
  RedisConnection db(here(1, 1000));  // nothing listens there
  try {
    db.command({"PING"});
    FAIL() << "nothing thrown";
  } catch (const StatementFailed& failed) {
    EXPECT_TRUE(failed.definite);
    EXPECT_EQ(failed.reason, Reason::unavailable);
  }
}

}  // namespace
}  // namespace holdfast
