// Behaviours of an etcd server on a connection, and their meaning for the session. The server is a socket with canned
// bytes.
#include "servers/etcd/etcd_connection.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <thread>
#include <vector>

namespace holdfast {
namespace {

constexpr const char* kHangsUp = "hangs up";
constexpr const char* kIsSilent = "is silent";

std::string http(const std::string& body) {
  return "HTTP/1.1 200 OK\r\nDate: Wed, 25 Nov 2026 02:43:16 GMT\r\nContent-Length: " + std::to_string(body.size()) +
         "\r\n\r\n" + body;
}

std::string closing(const std::string& body) {
  return "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

// Answers one request after the other, on as many connections as come; after a disconnect it accepts the next.
class CannedServer {
 public:
  explicit CannedServer(std::vector<std::string> answers) : answers_(std::move(answers)) {
    listener_ = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof at;
    EXPECT_EQ(::bind(listener_, reinterpret_cast<sockaddr*>(&at), sizeof at), 0);
    EXPECT_EQ(::listen(listener_, 4), 0);
    ::getsockname(listener_, reinterpret_cast<sockaddr*>(&at), &length);
    port_ = ntohs(at.sin_port);
    thread_ = std::thread([this] { serve(); });
  }
  ~CannedServer() { finish(); }

  EtcdAddress address(std::int64_t timeout_ms = 2000) const { return {"127.0.0.1", port_, timeout_ms}; }
  int connections() const { return connections_; }
  // The requests that came whole, by their first words.
  std::vector<std::string> heard() {
    finish();
    return heard_;
  }

 private:
  void finish() {
    if (!thread_.joinable()) return;
    over_ = true;
    ::shutdown(listener_, SHUT_RDWR);
    ::shutdown(client_, SHUT_RDWR);  // a client may keep its connection
    thread_.join();
    ::close(listener_);
  }

  void serve() {
    while (!over_) {
      const int client = ::accept(listener_, nullptr, nullptr);
      if (client < 0) return;
      client_ = client;
      ++connections_;
      while (next_request(client) && answer(client)) {
      }
      client_ = -1;
      ::close(client);
    }
  }

  bool next_request(int client) {
    std::string text;
    const auto whole = [&] {
      const auto end = text.find("\r\n\r\n");
      const auto length = text.find("Content-Length: ");
      if (end == std::string::npos) return false;
      return length == std::string::npos || text.size() >= end + 4 + std::stoul(text.substr(length + 16));
    };
    while (!whole()) {
      char bytes[4096];
      const ssize_t n = ::read(client, bytes, sizeof bytes);
      if (n <= 0) return false;
      text.append(bytes, static_cast<std::size_t>(n));
    }
    heard_.push_back(text.substr(0, text.find(" HTTP")));
    return true;
  }

  bool answer(int client) {
    if (next_ == answers_.size()) return false;
    const std::string& text = answers_[next_++];
    if (text == kHangsUp) return false;
    if (text == kIsSilent) {
      char byte = 0;
      return ::read(client, &byte, 1) > 0;  // until the client goes
    }
    const bool said = ::send(client, text.data(), text.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(text.size());
    return said && text.find("Connection: close") == std::string::npos;
  }

  std::vector<std::string> answers_;
  std::size_t next_ = 0;
  int listener_ = -1;
  int port_ = 0;
  std::atomic<bool> over_{false};
  std::atomic<int> connections_{0};
  std::atomic<int> client_{-1};
  std::vector<std::string> heard_;
  std::thread thread_;
};

using Heard = std::vector<std::string>;

// The failure of a post on an open connection.
StatementFailed failure(EtcdConnection& db) {
  try {
    db.post("/v3/kv/put", "{}");
  } catch (const StatementFailed& failed) {
    return failed;
  }
  ADD_FAILURE() << "it was answered";
  return {true, Reason::none, 0, ""};
}

TEST(EtcdConnection, IsReused) {
  CannedServer server({http("{}"), http("one"), http("two")});
  EtcdConnection db(server.address());
  EXPECT_EQ(db.id(), 0U);
  db.connect();
  EXPECT_NE(db.id(), 0U);
  db.connect();
  const HttpAnswer one = db.post("/v3/kv/put", "{}");
  EXPECT_EQ(one.status, 200);
  EXPECT_EQ(one.body, "one");
  EXPECT_EQ(http_date_s(one.header("date")), 1795574596);
  EXPECT_EQ(db.get("/health").body, "two");
  EXPECT_EQ(server.heard(), (Heard{"GET /version", "POST /v3/kv/put", "GET /health"}));
  EXPECT_EQ(server.connections(), 1);
}

// libcurl by itself would send it again on another connection.
TEST(EtcdConnection, ARequestWithoutAnAnswerIsNotSentTwice) {
  CannedServer server({http("{}"), kHangsUp, http("{}"), http("{}")});
  EtcdConnection db(server.address());
  db.connect();
  const StatementFailed failed = failure(db);
  EXPECT_FALSE(failed.definite);
  EXPECT_EQ(db.id(), 0U);
  EXPECT_EQ(server.heard(), (Heard{"GET /version", "POST /v3/kv/put"}));
}

// A request without a body could be repeated at any time, a delete, too.
TEST(HttpConnection, NoMethodIsSentTwice) {
  for (const std::string method : {"GET", "PUT", "DELETE"}) {
    CannedServer server({http("{}"), kHangsUp, http("{}"), http("{}")});
    HttpConnection store({"127.0.0.1", server.address().port, 2000});
    store.ask({.method = "GET", .path = "/", .headers = {}, .body = {}});
    try {
      store.ask({.method = method, .path = "/a", .headers = {}, .body = {}});
      ADD_FAILURE() << method << " was answered";
    } catch (const StatementFailed& failed) {
      EXPECT_FALSE(failed.definite) << method;
    }
    EXPECT_EQ(server.heard(), (Heard{"GET /", method + " /a"}));
  }
}

TEST(HttpConnection, HeadersHaveALimit) {
  std::string head = "HTTP/1.1 200 OK\r\n";
  for (int i = 0; i < 1000; ++i) head += "X-" + std::to_string(i) + ": " + std::string(90, 'a') + "\r\n";
  CannedServer server({head + "Content-Length: 0\r\n\r\n"});
  HttpConnection store({"127.0.0.1", server.address().port, 2000});
  EXPECT_THROW(store.ask({.method = "GET", .path = "/", .headers = {}, .body = {}}), StatementFailed);
}

TEST(EtcdConnection, ALateAnswerMayHaveBeenCarriedOut) {
  CannedServer server({http("{}"), kIsSilent});
  EtcdConnection db(server.address(200));
  db.connect();
  const StatementFailed failed = failure(db);
  EXPECT_FALSE(failed.definite);
  EXPECT_EQ(failed.reason, Reason::timeout);
}

TEST(EtcdConnection, NoServerIsDefinite) {
  EtcdAddress nowhere;
  {
    CannedServer server({});
    nowhere = server.address();
  }
  EtcdConnection db(nowhere);
  EXPECT_THROW(db.connect(), StatementFailed);
  const StatementFailed failed = failure(db);
  EXPECT_TRUE(failed.definite);
  EXPECT_EQ(failed.reason, Reason::unavailable);
}

// An idle connection that the server closes: the next request finds out before it is sent, and takes a new one.
TEST(EtcdConnection, ClosedIdleConnectionIsReplaced) {
  CannedServer server({http("{}"), closing("a"), http("b")});
  EtcdConnection db(server.address());
  db.connect();
  EXPECT_EQ(db.post("/v3/kv/put", "{}").body, "a");
  EXPECT_EQ(db.post("/v3/kv/put", "{}").body, "b");
  EXPECT_EQ(server.connections(), 2);
  EXPECT_EQ(server.heard(), (Heard{"GET /version", "POST /v3/kv/put", "POST /v3/kv/put"}));
}

TEST(EtcdConnection, AnAnswerHasALimit) {
  const std::string head = "HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n";
  CannedServer server({http("{}"), head + std::string((std::size_t{65} << 20U), 'x')});
  EtcdConnection db(server.address(20'000));
  db.connect();
  const StatementFailed failed = failure(db);
  EXPECT_FALSE(failed.definite);
  EXPECT_NE(std::string(failed.what()).find("64 MiB"), std::string::npos) << failed.what();
}

}  // namespace
}  // namespace holdfast
