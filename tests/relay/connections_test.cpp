// Connections as the world has them: half-closed, reset, many, large, in vain.
#include <gtest/gtest.h>

#include "artifact/error.hpp"
#include "artifact/poll_until.hpp"
#include "lab/process.hpp"
#include "relay/redirect_rules.hpp"
#include "tests/refusal.hpp"
#include "tests/relay/relay_lab.hpp"

namespace holdfast {
namespace {

const std::string kCountUp = command({"INCR", "orders"});

class Connections : public testing::Test {
 protected:
  Connections() : lab_("resp", {"orders", "orders-long"}, 100) { lab_.start_redis(); }
  NodeClient connect(std::size_t client = 0) { return {lab_.node(client), kLockAddress, kRedisPort}; }
  RelayedClient seen() { return lab_.relay().seen(lab_.client(0)); }
  RelayLab lab_;
};

TEST_F(Connections, SparedAddressBypassesTheRelay) {
  NodeClient client(lab_.node(0), kResourceAddress, kRedisPort);
  EXPECT_EQ(client.ask(kCountUp, ":1\r\n"), ":1\r\n");
  EXPECT_EQ(seen().connections, 0U);
}

TEST_F(Connections, HalfClosedConnectionStillReads) {
  NodeClient client = connect();
  client.send(kCountUp + kCountUp + "*1\r\n$4");
  client.half_close();
  EXPECT_EQ(client.read_to_end(), ":1\r\n:2\r\n");
}

TEST_F(Connections, ServersCloseIsPassedOn) {
  NodeClient client = connect();
  client.send(command({"QUIT"}));
  EXPECT_EQ(client.read_to_end(), "+OK\r\n");
  EXPECT_FALSE(client.reset());
}

TEST_F(Connections, ServerMayRestart) {
  NodeClient client = connect();
  client.ask(kCountUp, ":1\r\n");
  lab_.kill_server();
  EXPECT_TRUE(client.ended());
  NodeClient in_vain = connect();
  EXPECT_TRUE(in_vain.ended());
  EXPECT_TRUE(in_vain.reset()) << "as it would be refused";
  lab_.start_redis();
  NodeClient again = connect();
  EXPECT_EQ(again.ask(kCountUp, ":1\r\n"), ":1\r\n");
}

TEST_F(Connections, ARequestOfAnySizePasses) {
  const std::string large(3'000'000, 'x');
  NodeClient client = connect();
  EXPECT_EQ(client.ask(command({"SET", "orders", large}), "+OK\r\n"), "+OK\r\n");
  EXPECT_EQ(seen().too_long, 1U);
  EXPECT_EQ(seen().counted, 0U);
  const std::string reply = "$3000000\r\n" + large + "\r\n";
  EXPECT_EQ(client.ask(command({"GET", "orders"}), reply), reply);
  EXPECT_EQ(seen().counted, 1U);
  EXPECT_EQ(client.ask(command({"DEL", "orders"}), ":1\r\n"), ":1\r\n");
}

TEST_F(Connections, UnreadReplyDoesNotBlockOthers) {
  NodeClient client = connect();
  client.ask(command({"SET", "large", std::string(200'000, 'x')}), "+OK\r\n");
  for (int n = 0; n < 100; ++n) client.send(command({"GET", "large"}));
  NodeClient other = connect(1);
  EXPECT_EQ(other.ask(kCountUp, ":1\r\n"), ":1\r\n");
  EXPECT_EQ(client.read(100 * 200'011).size(), 100U * 200'011U);
}

TEST_F(Connections, ManyRequestsAtOnce) {
  NodeClient client = connect();
  std::string many, replies;
  for (int n = 1; n <= 20'000; ++n) {
    many += kCountUp;
    replies += ":" + std::to_string(n) + "\r\n";
  }
  EXPECT_EQ(client.ask(many, replies), replies);
  EXPECT_EQ(seen().counted, 20'000U);
  EXPECT_EQ(lab_.relay().records().size(), 100U) << "no more are kept";
  EXPECT_EQ(lab_.relay().records_left_out(), 19'900U);
}

TEST_F(Connections, LongestMatchingNameIsTheLock) {
  NodeClient client = connect();
  client.ask(command({"INCR", "orders-long"}), ":1\r\n");
  EXPECT_EQ(lab_.records().at(0).lock, 1U);
}

TEST_F(Connections, TlsIsReportedAndPasses) {
  NodeClient client = connect();
  client.send("\x16\x03\x01orders\n");
  EXPECT_NE(client.read(4), "") << "the server's own complaint";
  EXPECT_EQ(seen().opaque, 1U);
  EXPECT_EQ(seen().counted, 0U);
  EXPECT_EQ(seen().why_opaque, std::string("10.77.0.2:6379: the connection is encrypted (TLS)"));
}

TEST_F(Connections, PartitionCutsTheRelaysConnection) {
  NodeClient client = connect();
  client.ask(kCountUp, ":1\r\n");
  DroppingRules rules;
  rules.drop_to(kLockAddress);
  lab_.network().filter(lab_.client_node(0), rules);
  client.send(kCountUp);
  EXPECT_TRUE(client.silent(300));
  EXPECT_GT(lab_.network().dropped(lab_.client_node(0)), 0);
  lab_.network().filter(lab_.client_node(0), {});
  EXPECT_EQ(client.read(4), ":2\r\n") << "the redirection is still there, and what was sent arrives";
  EXPECT_EQ(seen().counted, 2U);
}

TEST_F(Connections, ThousandsOfConnections) {
  allow_open_files(4096);
  std::size_t answered = 0;
  for (int round = 0; round < 4; ++round) {
    std::vector<NodeClient> clients;
    for (int n = 0; n < 500; ++n) clients.push_back(connect());
    for (auto& client : clients) client.send("PING\r\n");
    for (auto& client : clients) answered += client.read(7) == "+PONG\r\n" ? 1U : 0U;
    for (std::size_t n = 0; n < clients.size(); n += 2) clients[n].vanish();
  }
  EXPECT_EQ(answered, 2000U);
  EXPECT_EQ(seen().connections, 2000U);
  const auto left = [&] {
    NodeClient aside(lab_.server_node(), kLockAddress, kRedisPort);
    aside.send("INFO clients\r\n");
    return contains(aside.read_to_end(200), "connected_clients:1\r");
  };
  EXPECT_TRUE(poll_until(left, 20, after_ms(kPatience_ms))) << "none is left at the server";
}

TEST_F(Connections, DirectConnectionToTheRelayIsRefused) {
  const std::uint16_t port = lab_.relay().listen(lab_.client(0), "resp");
  NodeClient client(lab_.node(0), "127.0.0.1", port);
  EXPECT_TRUE(client.ended());
  EXPECT_EQ(seen().refused, 1U);
}

TEST(RedirectRules, InvalidAddressIsRefused) {
  EXPECT_THROW(redirect_rules({{6379}, 1, {"10.0.0.1 accept; drop"}}), BadInput);
  EXPECT_THROW(redirect_rules({{}, 1, {}}), BadInput);
  EXPECT_THROW(redirect_rules({{0}, 1, {}}), BadInput);
  EXPECT_TRUE(contains(redirect_rules({{6379, 6379}, 7, {}}), "tcp dport { 6379 } redirect to :7"));
  EXPECT_FALSE(contains(redirect_rules({{6379}, 7, {"10.77.0.3"}}), "counter")) << "Network::dropped adds up all";
}

}  // namespace
}  // namespace holdfast
