// Messages that the protocols read from bytes, independently of how these are cut.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>

#include "artifact/error.hpp"
#include "relay/protocols/grpc/header_paths.hpp"
#include "tests/relay/recorded.hpp"
#include "tests/relay/relay_lab.hpp"
#include "tests/relay/wire_reader.hpp"

namespace holdfast {
namespace {

std::size_t all_at_once(std::size_t left) {
  return left;
}

std::string client_says(const std::string& bytes) {
  return told("resp", {{true, bytes}}, "orders", all_at_once);
}

std::string server_says(const std::string& bytes) {
  return told("resp", {{false, bytes}}, "orders", all_at_once);
}

TEST(RespWire, ParsesRequests) {
  EXPECT_EQ(client_says(command({"SET", "orders", "x"})), "client 32 counts repeatable asks\n");
  EXPECT_EQ(client_says("get orders\r\n"), "client 12 counts repeatable asks\n");
  EXPECT_EQ(client_says("\r\n*0\r\n*-1\r\n"), "client 2\nclient 4\nclient 5\n") << "the server ignores these";
  EXPECT_EQ(client_says(command({"SET", "", "orders"})).substr(0, 15), "client 31 count");
}

TEST(RespWire, OtherCommandsPassUncounted) {
  for (const auto& words : std::vector<std::vector<std::string>>{{"PING", "orders"},
                                                                 {"hello", "3", "SETNAME", "orders"},
                                                                 {"AUTH", "orders"},
                                                                 {"INFO", "orders"},
                                                                 {"SCRIPT", "LOAD", "return 'orders'"},
                                                                 {"CLIENT", "SETNAME", "orders"},
                                                                 {"GET", "another"}}) {
    EXPECT_NE(client_says(command(words)).find(" passes "), std::string::npos) << words[0];
  }
  EXPECT_NE(client_says(command({"EVALSHA", "0", "1", "orders"})).find(" counts "), std::string::npos);
}

TEST(RespWire, ParsesReplies) {
  for (const std::string whole : {"+OK\r\n",
                                  "-ERR no\r\n",
                                  ":-12\r\n",
                                  "$-1\r\n",
                                  "$0\r\n\r\n",
                                  "$3\r\na\r\n\r\n",
                                  "*-1\r\n",
                                  "*0\r\n",
                                  "*2\r\n$1\r\na\r\n*1\r\n:1\r\n",
                                  "_\r\n",
                                  "#t\r\n",
                                  ",1.5\r\n",
                                  "(123456789012345678901234567890\r\n",
                                  "%1\r\n+a\r\n*1\r\n:1\r\n",
                                  "~1\r\n+a\r\n",
                                  "=7\r\ntxt:abc\r\n",
                                  "!5\r\nERR x\r\n",
                                  "|1\r\n+ttl\r\n:1\r\n+OK\r\n",
                                  "*2\r\n|1\r\n+k\r\n*1\r\n+v\r\n:1\r\n:2\r\n",
                                  "|0\r\n+OK\r\n"}) {
    const std::string line = "server " + std::to_string(whole.size()) + "\n";
    EXPECT_EQ(server_says(whole), line) << whole;
    EXPECT_EQ(server_says(whole + whole), line + line) << whole;
    EXPECT_EQ(server_says(whole.substr(0, whole.size() - 1)), "") << whole;
  }
  EXPECT_EQ(server_says(">2\r\n+invalidate\r\n*0\r\n+OK\r\n"), "server 21 aside\nserver 5\n");
}

TEST(RespWire, UnreadableBytesAreOpaque) {
  EXPECT_EQ(client_says("\x16\x03\x01"), std::string("opaque: ") + kSpeaksTls + "\n");
  EXPECT_EQ(client_says("*1\r\n:1\r\n").substr(0, 7), "opaque:");
  EXPECT_EQ(client_says("*x\r\n").substr(0, 7), "opaque:");
  EXPECT_EQ(client_says("*1\r\n$1\r\nab").substr(0, 7), "opaque:");
  EXPECT_EQ(client_says("*1\r\n$9999999999999999999\r\n").substr(0, 7), "opaque:");
  EXPECT_EQ(server_says("HTTP/1.1 400\r\n"), "replies unknown\n");
  EXPECT_EQ(server_says("$?\r\n"), "replies unknown\n");
  std::string deep;
  for (int n = 0; n < 1000; ++n) deep += "*1\r\n";
  EXPECT_EQ(server_says(deep), "replies unknown\n");
  EXPECT_THROW(protocol("gopher"), BadInput);
}

TEST(MySqlWire, ParsesAConversation) {
  EXPECT_EQ(told("mysql", mysql_conversation(), "orders", all_at_once), mysql_told());
}

TEST(MySqlWire, ParsesOlderFormsOfResults) {
  EXPECT_EQ(told("mysql", mysql_conversation_with_eof(), "orders", all_at_once), mysql_told_with_eof());
}

TEST(MySqlWire, UnreadableBytesAreOpaque) {
  EXPECT_EQ(told("mysql", mysql_login(kMySqlTls, 32), "", all_at_once),
            "server 95 aside\nopaque: " + std::string(kSpeaksTls) + "\n");
  EXPECT_EQ(told("mysql", mysql_login(kMySqlCompress, 60), "", all_at_once),
            "server 95 aside\nopaque: the connection is compressed\n");
  EXPECT_EQ(told("mysql", {{true, "GET"}}, "", all_at_once), "opaque: the client sent before the server\n");
  EXPECT_EQ(told("mysql", {{false, mysql_packet(0, "\x09old")}}, "", all_at_once).substr(0, 7), "opaque:");
}

TEST(PostgresWire, ParsesAConversation) {
  EXPECT_EQ(told("postgres", postgres_conversation(), "orders", all_at_once), postgres_told());
}

std::string postgres_told_after_login(bool by_client, const std::string& bytes) {
  auto all = postgres_login();
  all.push_back({by_client, bytes});
  const std::string whole = told("postgres", all, "orders", all_at_once);
  return whole.substr(told("postgres", postgres_login(), "orders", all_at_once).size());
}

TEST(PostgresWire, AnAdvisoryLockIsANumber) {
  const std::string end(1, '\0');
  const auto counts = [&](const std::string& sql) {
    const std::string parsed = postgres_message("P", end + sql + end + end + end);
    const std::string bound = postgres_message("B", end + end + std::string(6, '\0'));
    const std::string run = postgres_message("E", end + std::string(4, '\0')) + postgres_message("S", "");
    const auto does = [](const std::string& bytes) {
      return postgres_told_after_login(true, bytes).find(" counts ") != std::string::npos;
    };
    const bool simple = does(postgres_message("Q", sql + end));
    EXPECT_EQ(simple, does(parsed + bound + run)) << sql;
    EXPECT_FALSE(does(parsed + postgres_message("S", ""))) << "only prepared: " << sql;
    return simple;
  };
  EXPECT_TRUE(counts("SELECT pg_try_advisory_lock(4711)"));
  EXPECT_TRUE(counts("select 1, PG_ADVISORY_XACT_LOCK_SHARED ($1, $2)"));
  EXPECT_TRUE(counts("SELECT advisory_ FROM t; SELECT pg_advisory_unlock(4711)"));
  EXPECT_FALSE(counts("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'"));
  EXPECT_FALSE(counts("SELECT advisory_lock FROM t"));
  EXPECT_FALSE(counts("SELECT advisory_notes(4711)"));
}

TEST(PostgresWire, UnreadableBytesAreOpaque) {
  const auto& after_login = postgres_told_after_login;
  const std::string asks = postgres_message("", postgres_number(80877103));
  EXPECT_EQ(told("postgres", {{true, asks}, {false, "S"}}, "", all_at_once),
            "client 8\nopaque: " + std::string(kSpeaksTls) + "\n");
  EXPECT_EQ(told("postgres", {{true, "\x16\x03\x01"}}, "", all_at_once), "opaque: " + std::string(kSpeaksTls) + "\n");
  EXPECT_EQ(told("postgres", {{true, postgres_message("", postgres_number(0x20000))}}, "", all_at_once).substr(0, 7),
            "opaque:");
  EXPECT_EQ(after_login(true, "Q" + postgres_number(3)).substr(0, 7), "opaque:");
  EXPECT_EQ(after_login(true, "Q" + postgres_number(0x80000000)).substr(0, 7), "opaque:");
  EXPECT_EQ(after_login(false, "T" + postgres_number(0)).substr(0, 7), "opaque:");
  EXPECT_EQ(after_login(true, "Q" + postgres_number(100) + "SELECT"), "") << "its end has not come";
}

TEST(ZooKeeperWire, ParsesAConversation) {
  EXPECT_EQ(told("zookeeper", zookeeper_conversation(), "orders", all_at_once), zookeeper_told());
}

TEST(ZooKeeperWire, UnreadableBytesAreOpaque) {
  EXPECT_EQ(told("zookeeper", {{true, "\x16\x03\x01"}}, "", all_at_once), "opaque: " + std::string(kSpeaksTls) + "\n");
  EXPECT_EQ(told("zookeeper", {{true, "ruok"}}, "", all_at_once),
            "opaque: a message of the client has an impossible length\n");
}

// The beginning of a reply is held back until its request is known.
TEST(ZooKeeperWire, MatchesRepliesByNumber) {
  const auto wire = protocol("zookeeper").make();
  const auto all = zookeeper_conversation();
  for (std::size_t n = 0; n < 3; ++n)
    all[n].by_client ? wire->from_client(all[n].bytes) : wire->from_server(all[n].bytes);
  const std::string_view reply = all[3].bytes;
  EXPECT_EQ(wire->from_server(reply.substr(0, 7)).size, 0U);
  const Piece piece = wire->from_server(reply.substr(0, 8));
  EXPECT_EQ(piece.size, 8U);
  EXPECT_EQ(piece.answers, 1U);
}

TEST(GrpcWire, AwaitedCallsAreReported) {
  if (!HeaderPaths::missing().empty()) GTEST_SKIP() << HeaderPaths::missing();
  const auto wire = protocol("grpc").make();
  const auto take = [&](std::string bytes, bool by_client) {
    while (!bytes.empty()) {
      const Piece piece = by_client ? wire->from_client(bytes) : wire->from_server(bytes);
      ASSERT_GT(piece.size, 0U) << wire->opaque();
      bytes.erase(0, piece.size);
    }
  };
  take(http2_preface() + grpc_call(1, "/a", "1") + grpc_call(3, "/a", "2") + grpc_call(5, "/a", "3"), true);
  EXPECT_TRUE(wire->awaits(1) && wire->awaits(2) && wire->awaits(3));
  take(http2_frame(3, 0, 1, std::string(4, '\1')), true);
  EXPECT_FALSE(wire->awaits(1)) << "the client gave it up";
  take(http2_frame(3, 0, 3, std::string(4, '\1')), false);
  EXPECT_FALSE(wire->awaits(2)) << "the server did";
  take(http2_frame(1, 5, 5, http2_header("grpc-status", "0")), false);
  EXPECT_FALSE(wire->awaits(3)) << "it was answered";
}

TEST(GrpcWire, ParsesAConversation) {
  if (!HeaderPaths::missing().empty()) GTEST_SKIP() << HeaderPaths::missing();
  EXPECT_EQ(told("grpc", grpc_conversation(), "orders", all_at_once), grpc_told());
}

TEST(GrpcWire, UnreadableBytesAreOpaque) {
  const auto opaque = [](const std::string& bytes) { return told("grpc", {{true, bytes}}, "", all_at_once); };
  EXPECT_EQ(opaque("\x16\x03\x01"), "opaque: " + std::string(kSpeaksTls) + "\n");
  EXPECT_EQ(opaque("POST /v3/kv/txn HTTP/1.1\r\n"),
            "opaque: the client does not speak gRPC (etcd's JSON gateway cannot be read)\n");
  if (const std::string missing = HeaderPaths::missing(); !missing.empty()) {
    EXPECT_EQ(opaque(http2_preface() + grpc_opens(1, "/a")), "client 24\nopaque: " + missing + "\n");
    GTEST_SKIP() << missing;
  }
  EXPECT_EQ(opaque(http2_preface() + http2_frame(1, 4, 1, "\xff\xff\xff\xff\xff\xff")),
            "client 24\nopaque: its headers cannot be read\n");
  EXPECT_EQ(opaque(http2_preface() + http2_frame(0, 8, 1, "\x7f")),
            "client 24\nopaque: a frame of the client has an impossible length\n");
  const std::string compressed = http2_frame(0, 0, 1, "\x01" + grpc_message("orders").substr(1));
  EXPECT_NE(opaque(http2_preface() + grpc_opens(1, "/a") + compressed).find("opaque: its messages are compressed"),
            std::string::npos);
}

RC_GTEST_PROP(Wires, ParseTheSameForAnyCuts, ()) {
  const auto size = *rc::gen::inRange<std::size_t>(1, 40);
  const auto seed = *rc::gen::arbitrary<unsigned>();
  unsigned state = seed;
  const auto cuts = [&](std::size_t) {
    state = state * 1664525U + 1013904223U;
    return std::size_t{1} + (state >> 8U) % size;
  };
  const auto resp = resp_conversation();
  RC_ASSERT(told("resp", resp, "orders", cuts) == told("resp", resp, "orders", all_at_once));
  RC_ASSERT(told("mysql", mysql_conversation(), "orders", cuts) == mysql_told());
  RC_ASSERT(told("postgres", postgres_conversation(), "orders", cuts) == postgres_told());
  RC_ASSERT(told("zookeeper", zookeeper_conversation(), "orders", cuts) == zookeeper_told());
  const auto grpc = grpc_conversation();
  RC_ASSERT(told("grpc", grpc, "orders", cuts) == told("grpc", grpc, "orders", all_at_once));
}

// A create if absent that is refused, a read, and a delete, on one connection.
std::vector<Utterance> http_conversation() {
  return {{true, "PUT /b/orders HTTP/1.1\r\nHost: s\r\nIf-None-Match: *\r\nContent-Length: 2\r\n\r\nA1"},
          {false, "HTTP/1.1 412 Precondition Failed\r\nContent-Length: 3\r\n\r\n<x>"},
          {true, "GET /b/orders HTTP/1.1\r\nHost: s\r\n\r\n"},
          {false, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nB1\r\n0\r\n\r\n"},
          {true, "DELETE /b/orders HTTP/1.1\r\nHost: s\r\nIf-Match: \"e\"\r\n\r\n"},
          {false, "HTTP/1.1 204 No Content\r\n\r\n"}};
}

// Every place, one after the other, and every byte alone.
TEST(Wires, ParseTheSameCutAtEveryByte) {
  const std::map<std::string, std::vector<Utterance>> conversations{
      {"resp", resp_conversation()},           {"mysql", mysql_conversation()}, {"postgres", postgres_conversation()},
      {"zookeeper", zookeeper_conversation()}, {"grpc", grpc_conversation()},   {"http", http_conversation()}};
  ASSERT_EQ(conversations.size(), protocols().size()) << "every protocol has one";
  for (const auto& [name, conversation] : conversations) {
    const std::string whole = told(name, conversation, "orders", all_at_once);
    EXPECT_EQ(told(name, conversation, "orders", [](std::size_t) { return 1; }), whole);
    for (std::size_t part = 0; part < conversation.size(); ++part) {
      const std::string bytes = conversation[part].bytes;
      for (std::size_t at = 1; at < bytes.size(); ++at) {
        auto cut = conversation;
        cut[part].bytes = bytes.substr(0, at);
        cut.insert(cut.begin() + static_cast<std::ptrdiff_t>(part) + 1,
                   {conversation[part].by_client, bytes.substr(at)});
        ASSERT_EQ(told(name, cut, "orders", all_at_once), whole) << name << ", part " << part << ", byte " << at;
      }
    }
  }
}

}  // namespace
}  // namespace holdfast
