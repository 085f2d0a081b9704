// Each action at a stop, on a real Redis, with what shows that it was done; and that nothing is done without one.
#include <gtest/gtest.h>

#include "artifact/error.hpp"
#include "artifact/poll_until.hpp"
#include "lab/process.hpp"
#include "tests/refusal.hpp"
#include "tests/relay/relay_lab.hpp"

namespace holdfast {
namespace {

const std::string kLockName = "orders";
const std::string kCount = command({"INCR", kLockName});

class RedisActions : public testing::Test {
 protected:
  RedisActions() : lab_("resp", {kLockName}) {
    lab_.start_redis();
    begin(RelayOperation::acquire);
  }

  // Asked past the relay, from the server's own node.
  std::string really(const std::vector<std::string>& words, const std::string& reply) {
    return NodeClient(lab_.server_node(), kLockAddress, kRedisPort).ask(command(words), reply);
  }
  NodeClient connect(std::size_t client = 0) { return {lab_.node(client), kLockAddress, kRedisPort}; }
  RequestPointId stop_before(std::uint64_t nth = 1) { return lab_.relay().arm({.client = lab_.client(0), .nth = nth}); }
  void begin(RelayOperation operation) { lab_.relay().operation_begins(lab_.client(0), operation); }

  RelayLab lab_;
};

TEST_F(RedisActions, InvisibleWithoutAPlannedStop) {
  NodeClient client = connect();
  EXPECT_EQ(client.ask(command({"SET", kLockName, "a", "NX", "PX", "9000"}), "+OK\r\n"), "+OK\r\n");
  EXPECT_EQ(client.ask("PING\r\n", "+PONG\r\n"), "+PONG\r\n");
  EXPECT_EQ(client.ask(command({"GET", "something else"}), "$-1\r\n"), "$-1\r\n");
  lab_.relay().operation_ends(lab_.client(0));
  EXPECT_EQ(client.ask(command({"PEXPIRE", kLockName, "9000"}), ":1\r\n"), ":1\r\n");
  begin(RelayOperation::release);
  EXPECT_EQ(client.ask(command({"GET", kLockName}), "$1\r\na\r\n"), "$1\r\na\r\n");
  EXPECT_EQ(client.ask(command({"DEL", kLockName}), ":1\r\n"), ":1\r\n");
  lab_.relay().operation_ends(lab_.client(0));

  const auto records = lab_.records();
  ASSERT_EQ(records.size(), 4U);
  const RelayOperation of[] = {RelayOperation::acquire, RelayOperation::none, RelayOperation::release,
                               RelayOperation::release};
  const std::uint64_t number[] = {1, 1, 1, 2};
  for (std::size_t n = 0; n < 4; ++n) {
    EXPECT_EQ(records[n].of, of[n]) << n;
    EXPECT_EQ(records[n].number, number[n]) << n;
    EXPECT_EQ(records[n].server, "10.77.0.2:6379");
    EXPECT_LT(records[n].came_ns, records[n].sent_ns);
    EXPECT_LT(records[n].sent_ns, records[n].answered_ns);
  }
  EXPECT_TRUE(records[1].background());
  const auto seen = lab_.relay().seen(lab_.client(0));
  EXPECT_EQ(seen.counted, 4U);
  EXPECT_EQ(seen.background, 1U);
  EXPECT_EQ(seen.passed, 2U);
  EXPECT_EQ(seen.connections, 1U);
  EXPECT_EQ(lab_.relay().seen(lab_.client(1)).connections, 0U);
}

TEST_F(RedisActions, ServerSeesTheClientsAddress) {
  NodeClient client = connect();
  EXPECT_EQ(client.ask("PING\r\n", "+PONG\r\n"), "+PONG\r\n");
  NodeClient aside(lab_.server_node(), kLockAddress, kRedisPort);
  aside.send(command({"CLIENT", "LIST"}));
  EXPECT_TRUE(contains(aside.read_to_end(300), "addr=" + Network::client_address(0)));
}

TEST_F(RedisActions, StopBeforeHoldsTheRequest) {
  const RequestPointId stop = stop_before();
  NodeClient client = connect();
  client.send(kCount);
  const Reached reached = lab_.reached();
  EXPECT_EQ(reached.stop, stop);
  EXPECT_EQ(reached.request.bytes, kCount.size());
  EXPECT_TRUE(client.silent(100));
  EXPECT_EQ(really({"GET", kLockName}, "$-1\r\n"), "$-1\r\n");
  lab_.relay().go_on(stop, {});
  EXPECT_EQ(client.read(4), ":1\r\n");
  EXPECT_TRUE(lab_.outcome(stop).done);
  EXPECT_THROW(lab_.relay().go_on(stop, {}), HarnessError) << "twice";
}

TEST_F(RedisActions, StopAfterArrivalHoldsTheReply) {
  const RequestPointId stop = lab_.relay().arm({.client = lab_.client(0), .when = When::after});
  NodeClient client = connect();
  client.send(kCount);
  const Reached reached = lab_.reached();
  EXPECT_EQ(reached.reply_bytes, 4U);
  EXPECT_TRUE(reached.reply_whole);
  EXPECT_EQ(really({"GET", kLockName}, "$1\r\n1\r\n"), "$1\r\n1\r\n");
  EXPECT_TRUE(client.silent(100));
  EXPECT_THROW(lab_.relay().go_on(stop, {.kind = PointAction::hold_request}), HarnessError) << "it was sent";
  lab_.relay().go_on(stop, {});
  EXPECT_EQ(client.read(4), ":1\r\n");
}

TEST_F(RedisActions, LoseRequest) {
  const RequestPointId stop = stop_before();
  NodeClient client = connect();
  client.send(kCount);
  lab_.relay().go_on(lab_.reached().stop, {.kind = PointAction::lose_request});
  const RequestPointOutcome outcome = lab_.outcome(stop);
  EXPECT_TRUE(outcome.done) << outcome.impossible;
  EXPECT_TRUE(client.ended());
  EXPECT_TRUE(client.reset());
  EXPECT_EQ(outcome.bytes_lost, kCount.size());
  EXPECT_TRUE(contains(outcome.evidence(), "was never sent, and the client's connection was reset"));
  EXPECT_EQ(lab_.records()[0].sent_ns, 0);
  EXPECT_EQ(really({"GET", kLockName}, "$-1\r\n"), "$-1\r\n") << "it was never executed, and never is";
  NodeClient again = connect();
  EXPECT_EQ(again.ask(kCount, ":1\r\n"), ":1\r\n");
}

TEST_F(RedisActions, LoseReply) {
  for (const When when : {When::before, When::after}) {
    const RequestPointId stop = lab_.relay().arm({.client = lab_.client(0), .nth = 2, .when = when});
    NodeClient client = connect();
    EXPECT_EQ(client.ask(kCount, ":1\r\n").size(), 4U) << "the first is let pass";
    client.send(kCount);
    lab_.relay().go_on(lab_.reached().stop, {.kind = PointAction::lose_reply});
    const RequestPointOutcome outcome = lab_.outcome(stop);
    EXPECT_TRUE(outcome.done) << outcome.impossible;
    EXPECT_EQ(outcome.bytes_swallowed, 4U);
    EXPECT_GT(outcome.cut_ns, 0);
    EXPECT_TRUE(contains(outcome.evidence(), "4 bytes of the server's reply were swallowed"));
    EXPECT_TRUE(client.ended());
    EXPECT_TRUE(client.reset());
  }
  EXPECT_EQ(really({"GET", kLockName}, "$1\r\n4\r\n"), "$1\r\n4\r\n") << "all four arrived";
  EXPECT_EQ(lab_.records()[1].done, PointAction::lose_reply);
}

TEST_F(RedisActions, EarlierRepliesAreNotLost) {
  const RequestPointId stop = stop_before(2);
  NodeClient client = connect();
  client.send(kCount + kCount + kCount);
  const RequestPointId reached = lab_.reached().stop;
  EXPECT_EQ(client.read(4), ":1\r\n") << "while the second waits; a reset may overtake what was not read yet";
  lab_.relay().go_on(reached, {.kind = PointAction::lose_reply});
  EXPECT_TRUE(lab_.outcome(stop).done);
  EXPECT_EQ(client.read(8), "");
  EXPECT_EQ(really({"GET", kLockName}, "$1\r\n2\r\n"), "$1\r\n2\r\n") << "the third was behind it";
}

TEST_F(RedisActions, HoldRequestForATime) {
  const RequestPointId stop = stop_before();
  NodeClient client = connect();
  client.send(kCount);
  lab_.relay().go_on(lab_.reached().stop, {.kind = PointAction::hold_request, .hold_ms = 200});
  EXPECT_TRUE(client.silent(150));
  EXPECT_EQ(client.read(4), ":1\r\n");
  const RequestPointOutcome outcome = lab_.outcome(stop);
  EXPECT_TRUE(outcome.done);
  EXPECT_GE(outcome.held_ns, 200'000'000);
  EXPECT_FALSE(outcome.client_gone);
}

TEST_F(RedisActions, HeldRequestArrivesAfterItsClientsEnd) {
  for (const bool resets : {false, true}) {
    const RequestPointId stop = stop_before();
    NodeClient client = connect();
    client.send(kCount);
    lab_.relay().go_on(lab_.reached().stop, {.kind = PointAction::hold_request});
    resets ? client.vanish() : client.close();
    NodeClient other = connect(1);
    other.ask("PING\r\n", "+PONG\r\n");
    EXPECT_EQ(really({"GET", kLockName}, "$-1\r\n").substr(0, 2), resets ? "$1" : "$-");
    EXPECT_FALSE(lab_.relay().outcome(stop).done);
    lab_.relay().release(stop);
    const RequestPointOutcome outcome = lab_.outcome(stop);
    EXPECT_TRUE(outcome.done) << outcome.impossible;
    EXPECT_TRUE(outcome.client_gone);
    EXPECT_TRUE(contains(outcome.evidence(), "the client had already closed its connection"));
    EXPECT_GT(lab_.records().back().answered_ns, 0) << "the server has answered";
    const std::string wanted = resets ? "$1\r\n2\r\n" : "$1\r\n1\r\n";
    EXPECT_EQ(really({"GET", kLockName}, wanted), wanted);
  }
}

TEST_F(RedisActions, Duplicate) {
  const RequestPointId stop = stop_before();
  NodeClient client = connect();
  client.send(kCount + command({"GET", kLockName}));
  lab_.relay().go_on(lab_.reached().stop, {.kind = PointAction::duplicate});
  EXPECT_EQ(client.read(11), ":1\r\n$1\r\n2\r\n") << "the first answer, and what it has come to";
  const RequestPointOutcome outcome = lab_.outcome(stop);
  EXPECT_TRUE(outcome.done);
  EXPECT_EQ(outcome.bytes_sent, kCount.size());
  EXPECT_EQ(outcome.bytes_swallowed, 4U);
  EXPECT_TRUE(client.silent(50));
}

TEST_F(RedisActions, BlockingCopyIsGivenUp) {
  const std::string list = kLockName + ":list";
  const RequestPointId stop = stop_before();
  NodeClient client = connect();
  client.send(command({"BLPOP", list, "0"}));
  lab_.relay().go_on(lab_.reached().stop, {.kind = PointAction::duplicate});
  lab_.relay().release(stop);
  const RequestPointOutcome outcome = lab_.outcome(stop);
  EXPECT_FALSE(outcome.done);
  EXPECT_EQ(outcome.impossible, "its first reply had not arrived");
  really({"RPUSH", list, "a", "b"}, ":2\r\n");
  EXPECT_TRUE(contains(client.read(10), "*2\r\n")) << "the first is answered";
  EXPECT_EQ(really({"LLEN", list}, ":1\r\n"), ":1\r\n") << "there is no second";
  EXPECT_EQ(client.read_to_end(50).empty(), false) << "and all goes on";
}

TEST_F(RedisActions, CopyMayWaitAtTheServer) {
  const std::string list = kLockName + ":list";
  really({"RPUSH", list, "a"}, ":1\r\n");
  const RequestPointId stop = stop_before();
  NodeClient client = connect();
  client.send(command({"BLPOP", list, "0"}));
  lab_.relay().go_on(lab_.reached().stop, {.kind = PointAction::duplicate});
  const auto sent = [&] { return lab_.relay().outcome(stop).sent_ns != 0; };
  ASSERT_TRUE(poll_until(sent, 5, after_ms(kPatience_ms)));
  const RequestPointOutcome waits = lab_.relay().outcome(stop);
  EXPECT_FALSE(waits.done);
  EXPECT_TRUE(contains(waits.evidence(), "sent a second time")) << waits.evidence();
  EXPECT_TRUE(contains(waits.evidence(), "and waits at the server")) << waits.evidence();
  really({"RPUSH", list, "b"}, ":1\r\n");
  EXPECT_TRUE(lab_.outcome(stop).done);
}

TEST_F(RedisActions, SubscriptionCannotBeDuplicated) {
  NodeClient client = connect();
  client.send(command({"SUBSCRIBE", "other"}));
  EXPECT_FALSE(client.silent(kPatience_ms));
  const RequestPointId stop = stop_before();
  client.send(command({"PING", "x"}) + command({"SUBSCRIBE", kLockName}));
  lab_.relay().go_on(lab_.reached().stop, {.kind = PointAction::duplicate});
  EXPECT_TRUE(contains(lab_.outcome(stop).impossible, "cannot be repeated"));
  EXPECT_TRUE(lab_.outcome(stop).by_nature);
  EXPECT_FALSE(lab_.outcome(stop).done);
}

TEST_F(RedisActions, CountsPerOperationAndForTheBackground) {
  const RequestPointId release = lab_.relay().arm({.of = RelayOperation::release, .request = 2});
  const RequestPointId background = lab_.relay().arm({.client = lab_.client(0), .background = true, .nth = 2});
  const RequestPointId never = lab_.relay().arm({.client = lab_.client(1)});
  NodeClient client = connect();
  lab_.relay().operation_ends(lab_.client(0));
  client.ask(kCount, ":1\r\n");
  begin(RelayOperation::acquire);
  client.ask(kCount + kCount + kCount, ":2\r\n:3\r\n:4\r\n");
  begin(RelayOperation::release);  // by another thread
  client.ask(kCount, ":5\r\n");
  client.send(kCount);
  const Reached in_release = lab_.reached();
  EXPECT_EQ(in_release.stop, release);
  EXPECT_EQ(in_release.request.number, 2U);
  lab_.relay().go_on(release, {});
  EXPECT_EQ(client.read(4), ":6\r\n");
  lab_.relay().operation_ends(lab_.client(0), RelayOperation::acquire);
  lab_.relay().operation_ends(lab_.client(0));
  client.send(kCount);
  EXPECT_EQ(lab_.reached().stop, background);
  EXPECT_TRUE(lab_.relay().disarm(never));
  EXPECT_FALSE(lab_.relay().disarm(release));
  EXPECT_THROW(lab_.relay().operation_ends(lab_.client(0)), HarnessError);
}

TEST_F(RedisActions, SubscriptionBelongsToAnOperationOrNone) {
  const RequestPointId background = lab_.relay().arm({.background = true});
  const RequestPointId acquire = lab_.relay().arm({.of = RelayOperation::acquire, .request = 2});
  NodeClient client = connect(), listener = connect();
  const std::string begun = "*3\r\n$9\r\nsubscribe\r\n$6\r\norders\r\n:1\r\n";
  const std::string over = "*3\r\n$11\r\nunsubscribe\r\n$6\r\norders\r\n:0\r\n";
  client.ask(kCount, ":1\r\n");
  listener.send(command({"SUBSCRIBE", kLockName}));
  EXPECT_EQ(lab_.reached().stop, acquire);
  lab_.relay().go_on(acquire, {});
  EXPECT_EQ(listener.read(begun.size()), begun);
  lab_.relay().operation_ends(lab_.client(0));
  EXPECT_EQ(listener.ask(command({"UNSUBSCRIBE", kLockName}), over), over);
  EXPECT_EQ(lab_.relay().seen(lab_.client(0)).passed, 1U);
  client.send(kCount);
  EXPECT_EQ(lab_.reached().stop, background);
  lab_.relay().go_on(background, {});
  EXPECT_EQ(client.read(4), ":2\r\n");
}

TEST_F(RedisActions, BackgroundCountStartsAtTheEndOfAnOperation) {
  const RequestPointId stop = lab_.relay().arm({.background = true, .request = 1, .nth = 2});
  NodeClient client = connect();
  lab_.relay().operation_ends(lab_.client(0));
  client.ask(kCount + kCount, ":1\r\n:2\r\n");
  begin(RelayOperation::renew);
  client.ask(kCount, ":3\r\n");
  lab_.relay().operation_ends(lab_.client(0));
  client.send(kCount);
  const Reached reached = lab_.reached();
  EXPECT_EQ(reached.stop, stop);
  EXPECT_TRUE(reached.request.background());
  lab_.relay().go_on(stop, {});
  EXPECT_EQ(client.read(4), ":4\r\n");
  EXPECT_EQ(lab_.relay().seen(lab_.client(0)).background, 3U);
}

TEST_F(RedisActions, AStopLetsOtherConnectionsGoOn) {
  const RequestPointId stop = stop_before();
  NodeClient client = connect(), second = connect(), other = connect(1);
  client.send(kCount);
  EXPECT_EQ(lab_.reached().stop, stop);
  EXPECT_EQ(second.ask(kCount, ":1\r\n"), ":1\r\n");
  EXPECT_EQ(other.ask(kCount, ":2\r\n"), ":2\r\n");
}

TEST_F(RedisActions, ServerMayDieDuringAStop) {
  const RequestPointId before = stop_before();
  NodeClient client = connect();
  client.send(kCount);
  EXPECT_EQ(lab_.reached().stop, before);
  lab_.kill_server();
  EXPECT_TRUE(client.ended());
  lab_.relay().go_on(before, {.kind = PointAction::duplicate});
  EXPECT_TRUE(contains(lab_.outcome(before).impossible, "closed before"));
  EXPECT_FALSE(lab_.outcome(before).done);
}

// A stop behind a request is not reached if there will be no reply, or if another's action takes it: that is reported,
// so that nothing waits for it.
TEST_F(RedisActions, StopAfterAnUnansweredCommandIsNotReached) {
  const auto stop_after = [&] { return lab_.relay().arm({.client = lab_.client(0), .when = When::after}); };
  const auto unreached = [&](RequestPointId stop) {
    const RequestPointOutcome outcome = lab_.outcome(stop);
    EXPECT_FALSE(outcome.reached);
    EXPECT_FALSE(outcome.done);
    return outcome.impossible;
  };
  NodeClient client = connect();
  const RequestPointId doubled = stop_before();
  const RequestPointId after_doubled = stop_after();
  client.send(kCount);
  EXPECT_EQ(lab_.reached().stop, doubled);
  lab_.relay().go_on(doubled, {.kind = PointAction::duplicate});
  EXPECT_EQ(unreached(after_doubled), "another fault took the reply to the same request");
  EXPECT_EQ(client.read(4), ":1\r\n");

  const RequestPointId after_end = stop_after();
  client.send(command({"BLPOP", kLockName + ":list", "0"}));
  const auto counted = [&] { return lab_.relay().seen(lab_.client(0)).counted; };
  ASSERT_TRUE(poll_until([&] { return counted() == 2; }, 5, after_ms(kPatience_ms)));
  lab_.kill_server();
  EXPECT_EQ(unreached(after_end), "the server closed the connection before it answered");
}

TEST_F(RedisActions, ATransactionCountsToItsEnd) {
  NodeClient client = connect();
  client.ask(command({"MULTI"}) + kCount, "+OK\r\n+QUEUED\r\n");
  const RequestPointId stop = stop_before();
  client.send(command({"EXEC"}));
  EXPECT_EQ(lab_.reached().stop, stop);
  lab_.relay().go_on(stop, {});
  EXPECT_EQ(client.read(8), "*1\r\n:1\r\n");
}

TEST_F(RedisActions, RealClients) {
  const std::string cli = find_program("redis-cli", {"redis-tools", "redis"});
  EXPECT_EQ(lab_.run(0, {cli, "-h", kLockAddress, "incr", kLockName}), "1\n");
  EXPECT_EQ(lab_.run(0, {cli, "-3", "-h", kLockAddress, "incr", kLockName}), "2\n");
  EXPECT_EQ(lab_.relay().seen(lab_.client(0)).counted, 2U);
  const std::string python =
      "import redis\n"
      "r = redis.Redis('10.77.0.2')\n"
      "lock = r.lock('orders', timeout=5)\n"
      "r.delete('orders')\n"
      "print(lock.acquire(), lock.owned()); lock.release(); print(r.exists('orders'))\n";
  const std::string said = lab_.run(0, {"/usr/bin/python3", "-c", python});
  if (contains(said, "No module named")) GTEST_SKIP() << "python3-redis is not installed";
  EXPECT_EQ(said, "True True\n0\n");
}

}  // namespace
}  // namespace holdfast
