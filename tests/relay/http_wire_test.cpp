// Requests and answers of HTTP/1.1 at the relay, independently of how the bytes are cut.
#include <gtest/gtest.h>

#include "relay/protocols/http/http_text.hpp"
#include "tests/relay/wire_reader.hpp"

namespace holdfast {
namespace {

// The same for every length of the parts.
std::string http_told(const std::vector<Utterance>& conversation) {
  const auto with_parts = [&](std::size_t part) {
    return told("http", conversation, "orders", [part](std::size_t left) { return std::min(part, left); });
  };
  const std::string whole = with_parts(1'000'000);
  for (const std::size_t part : {1U, 2U, 7U, 64U}) EXPECT_EQ(with_parts(part), whole) << part;
  return whole;
}

std::string http_client(const std::string& bytes) {
  return http_told({{true, bytes}});
}

std::string http_answer_to(const std::string& request, const std::string& answer) {
  const std::string all = http_told({{true, request}, {false, answer}});
  return all.substr(all.find('\n') + 1);
}

const std::string kPut = "PUT /locks/orders HTTP/1.1\r\nHost: s\r\nIf-None-Match: *\r\nContent-Length: 4\r\n\r\n1 me";
const std::string kGet = "GET /locks/orders HTTP/1.1\r\n\r\n";

TEST(HttpWire, ReadsRequests) {
  EXPECT_EQ(http_client(kPut), "client " + std::to_string(kPut.size()) + " counts repeatable asks\n");
  EXPECT_EQ(http_client(kPut.substr(0, kPut.size() - 1)), "");
  EXPECT_EQ(http_client("GET / HTTP/1.1\n\n" + kGet),
            "client 16 passes repeatable asks\nclient 30 counts repeatable asks\n");
  EXPECT_EQ(http_client("\r\nGET / HTTP/1.1\r\n\r\n"), "client 20 passes repeatable asks\n");
  EXPECT_EQ(http_client("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n6;a=b\r\norders\r\n0\r\nX: y\r\n\r\n"),
            "client 73 counts repeatable asks\n");
  EXPECT_EQ(http_client("GET /orders HTTP/1.1\r\nConnection: close\r\n\r\n"), "client 43 counts asks\n")
      << "after it the server reads nothing";
}

TEST(HttpWire, ReadsAnswers) {
  EXPECT_EQ(http_answer_to(kGet, "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc"), "server 41\n");
  EXPECT_EQ(http_answer_to(kGet, "HTTP/1.1 204 No\r\nContent-Length: 3\r\n\r\n"), "server 38\n") << "it has no body";
  EXPECT_EQ(http_answer_to(kGet, "HTTP/1.1 304 No\r\n\r\n"), "server 19\n");
  EXPECT_EQ(http_answer_to(kGet, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n"),
            "server 59\n");
  EXPECT_EQ(http_answer_to("HEAD /orders HTTP/1.1\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n"),
            "server 38\n");
  EXPECT_EQ(http_answer_to(kGet, "HTTP/1.1 200 OK\r\n\r\nuntil the end"), "") << "its end is the connection's";
  EXPECT_EQ(http_answer_to(kGet, "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"),
            "server 25 aside\nserver 38\n");
}

TEST(HttpWire, UnreadableBytesAreOpaque) {
  for (const std::string bytes : {"\x16\x03\x01", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "get / HTTP/1.1\r\n\r\n",
                                  "GET / HTTP/1.1\r\nno colon\r\n\r\n", "PUT / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
                                  "PUT / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
                                  "PUT / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n",
                                  "PUT / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
                                  "PUT / HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n",
                                  "PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n"}) {
    EXPECT_EQ(http_client(bytes).substr(0, 7), "opaque:") << bytes;
  }
  EXPECT_EQ(http_client("GET /" + std::string(20'000, 'a')).substr(0, 7), "opaque:") << "a line without an end";
  std::string headers;
  for (int i = 0; i < 100; ++i) headers += "X: " + std::string(1000, 'a') + "\r\n";
  EXPECT_EQ(http_client("GET / HTTP/1.1\r\n" + headers).substr(0, 7), "opaque:");
}

TEST(HttpWire, UnaskedOrStrangeAnswersEndTheCount) {
  EXPECT_EQ(http_told({{false, "HTTP/1.1 200 OK\r\n\r\n"}}), "replies unknown\n");
  EXPECT_EQ(http_answer_to(kGet, "SSH-2.0\r\n"), "replies unknown\n");
  EXPECT_EQ(http_answer_to(kGet, "HTTP/1.1 101 Switching\r\n\r\n").substr(0, 7), "opaque:");
}

TEST(HttpText, ShowsRequestsAndAnswers) {
  EXPECT_EQ(kHttpText.request(kPut), "PUT /locks/orders If-None-Match: * '1 me'");
  EXPECT_EQ(kHttpText.name(kPut), "put");
  EXPECT_EQ(kHttpText.words(kGet), (std::vector<std::string>{"GET", "/locks/orders"}));
  const std::string refused = "HTTP/1.1 412 No\r\n\r\n<Error><Code>PreconditionFailed</Code></Error>";
  EXPECT_EQ(kHttpText.reply(refused), "412 PreconditionFailed");
  EXPECT_EQ(kHttpText.reply("HTTP/1.1 200 OK\r\nETag: \"1\"\r\n\r\n1 me"), "200 ETag: \"1\" '1 me'");
  EXPECT_FALSE(kHttpText.may_change(kPut, refused));
  EXPECT_TRUE(kHttpText.may_change(kPut, "HTTP/1.1 200 OK\r\n\r\n"));
  EXPECT_TRUE(kHttpText.may_change(kPut, "HTTP/1.1 500 No\r\n\r\n"));
  EXPECT_FALSE(kHttpText.may_change(kGet, "HTTP/1.1 200 OK\r\n\r\n"));
  EXPECT_EQ(kHttpText.request(""), "");
}

}  // namespace
}  // namespace holdfast
