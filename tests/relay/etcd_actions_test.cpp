// Actions at a stop while other calls continue, on a real etcd.
#include <gtest/gtest.h>

#include "artifact/error.hpp"
#include "artifact/poll_until.hpp"
#include "relay/protocols/grpc/header_paths.hpp"
#include "tests/refusal.hpp"
#include "tests/relay/recorded.hpp"
#include "tests/relay/relay_lab.hpp"

namespace holdfast {
namespace {

const std::string kPut = "/etcdserverpb.KV/Put";
const std::string kRange = "/etcdserverpb.KV/Range";
const std::string kLock = "/v3lockpb.Lock/Lock";
const std::string kOrders = std::string("\x0a\x06") + "orders";
const std::string kApples = std::string("\x0a\x06") + "apples";

std::string valued(const std::string& key, const std::string& value) {
  return key + "\x12" + static_cast<char>(value.size()) + value;
}

// The headers of a call that has a time of its own.
std::string put_within_300_ms(std::uint32_t stream) {
  return http2_frame(1, 4, stream,
                     http2_header(":method", "POST") + http2_header(":scheme", "http") + http2_header(":path", kPut) +
                         http2_header(":authority", "etcd") + http2_header("content-type", "application/grpc") +
                         http2_header("te", "trailers") + http2_header("grpc-timeout", "300m"));
}

class EtcdActions : public testing::Test {
 protected:
  void SetUp() override {
    if (!HeaderPaths::missing().empty()) GTEST_SKIP() << HeaderPaths::missing();
    try {
      lab_.start_etcd();
    } catch (const Unavailable& missing) {
      GTEST_SKIP() << missing.what();
    }
    lab_.relay().operation_begins(lab_.client(0), RelayOperation::acquire);
  }

  NodeClient connect() {
    NodeClient out{lab_.node(0), kLockAddress, kEtcdPort};
    out.send(http2_preface() + http2_frame(4, 0, 0, "") + http2_frame(4, 1, 0, ""));
    return out;
  }
  // Past the relay, from the server's own node.
  std::string really(const std::string& key) {
    NodeClient client(lab_.server_node(), kLockAddress, kEtcdPort);
    client.send(http2_preface() + http2_frame(4, 0, 0, "") + grpc_call(1, kRange, key));
    return client.read_to_end(300);
  }
  bool really_says(const std::string& key, const std::string& value) {
    return poll_until([&] { return contains(really(key), value); }, 5, after_ms(kPatience_ms));
  }
  static bool hears(NodeClient& client, const std::string& words) {
    std::string heard;
    return poll_until([&] { return contains(heard += client.read_to_end(50), words); }, 1, after_ms(kPatience_ms));
  }
  RequestPointId stop(When when, std::uint64_t request = 0) {
    return lab_.relay().arm({.client = lab_.client(0), .request = request, .when = when});
  }

  RelayLab lab_{"grpc", {"orders"}};
};

TEST_F(EtcdActions, LoseReply) {
  for (const When when : {When::before, When::after}) {
    const RequestPointId at = stop(when);
    NodeClient client = connect();
    const std::string value = when == When::before ? "first" : "second";
    client.send(grpc_call(1, kPut, valued(kApples, "counts not")) + grpc_call(3, kPut, valued(kOrders, value)));
    lab_.relay().go_on(lab_.reached().stop, {.kind = PointAction::lose_reply});
    const RequestPointOutcome outcome = lab_.outcome(at);
    EXPECT_TRUE(outcome.done) << outcome.impossible;
    EXPECT_GT(outcome.bytes_swallowed, 0U);
    client.read_to_end();
    EXPECT_TRUE(client.reset());
    EXPECT_TRUE(really_says(kOrders, value)) << "the server did it";
  }
}

TEST_F(EtcdActions, OtherCallsContinueDuringAStopForAReply) {
  NodeClient first = connect();
  first.send(grpc_call(1, kLock, kOrders));
  EXPECT_TRUE(hears(first, "orders/")) << "it has the lock";

  const RequestPointId at = stop(When::after);
  NodeClient second = connect();
  second.send(grpc_call(1, kLock, kOrders));  // it waits
  EXPECT_EQ(lab_.relay().next_stop(200), std::nullopt);
  second.send(grpc_call(3, kPut, valued(kApples, "red")));
  EXPECT_TRUE(really_says(kApples, "red"));
  second.send(grpc_call(5, kRange, kApples));
  EXPECT_TRUE(hears(second, "red"));
  second.send(grpc_call(7, kPut, valued(kOrders, "counts, beside it")));
  EXPECT_TRUE(really_says(kOrders, "beside it"));
  EXPECT_EQ(lab_.relay().next_stop(0), std::nullopt);

  first.vanish();  // and its keys, once their lease is not renewed; here by hand
  NodeClient third(lab_.server_node(), kLockAddress, kEtcdPort);
  third.send(
      http2_preface() + http2_frame(4, 0, 0, "") +
      grpc_call(1, "/etcdserverpb.KV/DeleteRange", std::string("\x0a\x07") + "orders/" + "\x12\x07" + "orders0"));
  EXPECT_EQ(lab_.reached().stop, at);
  lab_.relay().go_on(at, {.kind = PointAction::lose_reply});
  EXPECT_TRUE(lab_.outcome(at).done) << lab_.outcome(at).impossible;
  second.read_to_end();
  EXPECT_TRUE(second.reset());
}

TEST_F(EtcdActions, HoldRequest) {
  const RequestPointId at = stop(When::before);
  NodeClient client = connect();
  client.send(grpc_call(1, kPut, valued(kOrders, "late")));
  lab_.relay().go_on(lab_.reached().stop, {.kind = PointAction::hold_request, .hold_ms = 400});
  EXPECT_FALSE(contains(really(kOrders), "late"));
  EXPECT_TRUE(lab_.outcome(at).done) << lab_.outcome(at).impossible;
  EXPECT_TRUE(really_says(kOrders, "late"));
}

// A call whose headers came is held as a whole, and what comes before the rest of it is not.
TEST_F(EtcdActions, OtherCallsOvertakeAHeldCall) {
  const RequestPointId at = stop(When::before);
  NodeClient client = connect();
  client.send(grpc_opens(1, kPut) + grpc_call(3, kPut, valued(kApples, "red")).substr(0, 5));
  client.send(grpc_call(3, kPut, valued(kApples, "red")).substr(5));  // its headers push on those of the first
  EXPECT_TRUE(really_says(kApples, "red"));
  client.send(put_within_300_ms(5) + http2_frame(6, 0, 0, "12345678"));
  EXPECT_TRUE(hears(client, "12345678")) << "a ping is answered meanwhile";
  client.send(http2_frame(0, 1, 5, grpc_message(valued(kOrders, "late"))));
  lab_.relay().go_on(lab_.reached().stop, {.kind = PointAction::hold_request, .hold_ms = 700});
  EXPECT_TRUE(lab_.outcome(at).done) << lab_.outcome(at).impossible;
  EXPECT_TRUE(really_says(kOrders, "late")) << "its time had not begun";
}

TEST_F(EtcdActions, AStreamCannotBeDoubled) {
  const RequestPointId at = stop(When::before);
  NodeClient client = connect();
  client.send(grpc_call(1, kPut, valued(kOrders, "once")));
  lab_.relay().go_on(lab_.reached().stop, {.kind = PointAction::duplicate});
  EXPECT_TRUE(contains(lab_.outcome(at).impossible, "cannot be repeated"));
  EXPECT_TRUE(lab_.outcome(at).by_nature);
  EXPECT_TRUE(really_says(kOrders, "once")) << "it went on";
}

TEST_F(EtcdActions, KeepAliveIsABackgroundRequest) {
  const RequestPointId at =
      lab_.relay().arm({.client = lab_.client(0), .background = true, .request = 1, .when = When::before});
  NodeClient client = connect();
  const std::string keep_alive = grpc_message("\x08\x07");
  client.send(grpc_opens(1, "/etcdserverpb.Lease/LeaseKeepAlive") + http2_frame(0, 0, 1, keep_alive));
  EXPECT_EQ(lab_.relay().next_stop(200), std::nullopt) << "an operation is open";
  lab_.relay().operation_ends(lab_.client(0), RelayOperation::acquire);
  client.send(grpc_call(3, "/etcdserverpb.Lease/LeaseGrant", "\x08\x02"));
  client.send(grpc_call(5, kRange, kOrders));
  EXPECT_EQ(lab_.relay().next_stop(200), std::nullopt) << "it keeps nothing alive, nor does what only reads";
  client.send(http2_frame(0, 0, 1, keep_alive));
  EXPECT_EQ(lab_.reached().stop, at);
  lab_.relay().go_on(at, {});
}

// As of an election that writes a record again and again.
TEST_F(EtcdActions, BackgroundWriteMayBeARenewal) {
  lab_.relay().operation_ends(lab_.client(0), RelayOperation::acquire);
  const RequestPointId at = lab_.relay().arm({.client = lab_.client(0), .background = true, .request = 1});
  NodeClient client = connect();
  client.send(grpc_call(1, kPut, valued(kOrders, "still mine")));
  EXPECT_EQ(lab_.reached().stop, at);
  lab_.relay().go_on(at, {});
}

TEST_F(EtcdActions, RequestedRenewalIsAKeepAlive) {
  lab_.relay().operation_ends(lab_.client(0), RelayOperation::acquire);
  lab_.relay().operation_begins(lab_.client(0), RelayOperation::renew);
  const RequestPointId at = lab_.relay().arm({.client = lab_.client(0), .of = RelayOperation::renew, .request = 1});
  NodeClient client = connect();
  client.send(grpc_opens(1, "/etcdserverpb.Lease/LeaseKeepAlive") + http2_frame(0, 0, 1, grpc_message("\x08\x07")));
  EXPECT_EQ(lab_.reached().stop, at);
  lab_.relay().go_on(at, {});
}

// A server counts the time of a call from its headers on: they wait with the request.
TEST_F(EtcdActions, HeldCallHasNotBegun) {
  const RequestPointId at = stop(When::before);
  NodeClient client = connect();
  client.send(put_within_300_ms(1) + http2_frame(0, 1, 1, grpc_message(valued(kOrders, "late"))));
  lab_.relay().go_on(lab_.reached().stop, {.kind = PointAction::hold_request, .hold_ms = 700});
  EXPECT_TRUE(lab_.outcome(at).done) << lab_.outcome(at).impossible;
  EXPECT_TRUE(really_says(kOrders, "late")) << "its time had not begun";
}

TEST_F(EtcdActions, AnswersToAResetCall) {
  NodeClient first = connect();
  first.send(grpc_call(1, kLock, kOrders));
  EXPECT_TRUE(hears(first, "orders/"));
  const RequestPointId at = lab_.relay().arm({.client = lab_.client(0), .when = When::before});
  NodeClient second = connect();
  second.send(grpc_call(1, kLock, kOrders));
  lab_.relay().go_on(lab_.reached().stop, {.kind = PointAction::lose_reply});
  second.send(http2_frame(3, 0, 1, std::string("\0\0\0\x08", 4)));
  EXPECT_TRUE(contains(lab_.outcome(at).impossible, "ended without an answer"));
}

}  // namespace
}  // namespace holdfast
