// Commands of etcdctl as etcd's JSON gateway takes them, and what its answers are at the seam.
#include "servers/etcd/etcd_request.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "artifact/error.hpp"

namespace holdfast {
namespace {

EtcdCommand command(std::vector<std::string> words, std::vector<std::string> answers = {}) {
  return {std::move(words), {}, {}, {}, std::move(answers)};
}

std::string call_text(const EtcdCommand& one) {
  const EtcdCall call = etcd_call(one);
  return call.path + " " + call.body;
}

TEST(EtcdRequest, Base64) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("a"), "YQ==");
  EXPECT_EQ(base64("ab"), "YWI=");
  EXPECT_EQ(base64("abc"), "YWJj");
  EXPECT_EQ(base64(std::string("\0\xff", 2)), "AP8=");
}

TEST(EtcdRequest, Calls) {
  EXPECT_EQ(call_text(command({"get", "a"})), R"(/v3/kv/range {"key":"YQ=="})");
  EXPECT_EQ(
      call_text(command({"get", "--prefix", "--sort-by=CREATE", "--order=ASCEND", "--limit=1", "a"})),
      R"(/v3/kv/range {"key":"YQ==","range_end":"Yg==","sort_target":"CREATE","sort_order":"ASCEND","limit":"1"})");
  EXPECT_EQ(call_text(command({"get", "--consistency=s", "a"})), R"(/v3/kv/range {"key":"YQ==","serializable":true})");
  EXPECT_EQ(call_text(command({"put", "a", "b", "--lease=1f"})),
            R"(/v3/kv/put {"key":"YQ==","value":"Yg==","lease":"31"})");
  EXPECT_EQ(call_text(command({"del", "a"})), R"(/v3/kv/deleterange {"key":"YQ=="})");
  EXPECT_EQ(call_text(command({"lease", "grant", "2"})), R"(/v3/lease/grant {"TTL":"2","ID":"0"})");
  EXPECT_EQ(call_text(command({"lease", "keep-alive", "--once", "1f"})), R"(/v3/lease/keepalive {"ID":"31"})");
  EXPECT_EQ(call_text(command({"lease", "revoke", "1f"})), R"(/v3/lease/revoke {"ID":"31"})");
  EtcdCommand txn = command({"txn"});
  txn.compares = {{"create", "a", "=", "7"}};
  txn.then = {{"put", "a", "b"}};
  txn.otherwise = {{"del", "b"}};
  EXPECT_EQ(call_text(txn),
            R"(/v3/kv/txn {"compare":[{"key":"YQ==","result":"EQUAL","target":"CREATE","create_revision":"7"}],)"
            R"("success":[{"request_put":{"key":"YQ==","value":"Yg=="}}],)"
            R"("failure":[{"request_delete_range":{"key":"Yg=="}}]})");
}

TEST(EtcdRequest, RangeEndOfAPrefix) {
  const auto end_of = [](const std::string& prefix) {
    return nlohmann::json::parse(etcd_call(command({"get", "--prefix", prefix})).body)["range_end"].get<std::string>();
  };
  EXPECT_EQ(end_of("az"), base64("a{"));
  EXPECT_EQ(end_of("a\xff"), base64("b"));
  EXPECT_EQ(end_of("\xff"), base64(std::string(1, '\0')));
}

TEST(EtcdRequest, AnswersInTheWordsOfASession) {
  const Reply rows = etcd_reply(command({"get", "a"}, {"key", "value", "create", "lease"}), 200,
                                R"({"header":{"revision":"9"},"kvs":[
                                {"key":"YQ==","value":"YmM=","create_revision":"7","mod_revision":"8","lease":"31"},
                                {"key":"YWI="}],"count":"2"})");
  ASSERT_EQ(rows.rows.size(), 2U);
  EXPECT_TRUE(rows.only_read);
  EXPECT_EQ(rows.text(0, 0) + rows.text(0, 1) + rows.text(0, 2) + rows.text(0, 3), "abc71f");
  EXPECT_EQ(rows.text(1, 0) + rows.text(1, 1) + rows.text(1, 2) + rows.text(1, 3), "ab00");
  EXPECT_TRUE(etcd_reply(command({"get", "a"}), 200, R"({"header":{}})").rows.empty());

  const Reply made = etcd_reply(command({"txn"}, {"revision"}), 200, R"({"header":{"revision":"9"},"succeeded":true})");
  EXPECT_EQ(made.affected, 1);
  EXPECT_EQ(made.evidence(), 1);
  EXPECT_EQ(made.count(0, 0), 9U);
  const Reply not_so = etcd_reply(command({"txn"}, {"revision"}), 200, R"({"header":{"revision":"9"}})");
  EXPECT_EQ(not_so.affected, 0);
  EXPECT_EQ(not_so.evidence(), 0);
  EXPECT_TRUE(not_so.rows.empty());

  EXPECT_EQ(etcd_reply(command({"del", "a"}), 200, R"({"header":{},"deleted":"1"})").affected, 1);
  EXPECT_EQ(etcd_reply(command({"del", "a"}), 200, R"({"header":{}})").affected, 0);
  const Reply granted =
      etcd_reply(command({"lease", "grant", "1"}, {"lease", "ttl"}), 200, R"({"header":{},"ID":"31","TTL":"2"})");
  EXPECT_EQ(granted.text(0, 0) + " " + granted.text(0, 1), "1f 2");
  EXPECT_EQ(granted.affected, 0) << "a lease is no part of the data";
  const auto kept = command({"lease", "keep-alive", "--once", "1f"}, {"ttl"});
  EXPECT_EQ(etcd_reply(kept, 200, R"({"result":{"header":{},"ID":"31","TTL":"2"}})").text(0, 0), "2");
  EXPECT_TRUE(etcd_reply(kept, 200, R"({"result":{"header":{},"ID":"31"}})").rows.empty()) << "it is gone";
}

TEST(EtcdRequest, ErrorIsDefiniteOnlyIfNothingWasDone) {
  const auto put = command({"put", "a", "b", "--lease=1f"});
  const Reply gone = etcd_reply(put, 404, R"({"error":"etcdserver: requested lease not found","code":5})");
  EXPECT_FALSE(gone.ok());
  EXPECT_EQ(gone.error, 5);
  const std::vector<std::pair<std::string, Reason>> open{
      {R"({"error":"etcdserver: request timed out","code":14})", Reason::timeout},
      {R"({"error":"etcdserver: leader changed","code":14})", Reason::unavailable},
      {R"({"error":"context deadline exceeded","code":4})", Reason::unavailable},
      {R"({"error":"of no code"})", Reason::unavailable},
      {R"({"error":{"grpc_code":14,"http_code":503,"message":"etcdserver: no leader"}})", Reason::unavailable},
      {R"({"header":{"revision":7}})", Reason::other},
      {"<html>", Reason::other},
      {"", Reason::other},
      {"[]", Reason::other},
  };
  for (const auto& [body, reason] : open) {
    try {
      etcd_reply(put, 503, body);
      ADD_FAILURE() << body << ": no failure";
    } catch (const StatementFailed& failed) {
      EXPECT_FALSE(failed.definite) << body;
      EXPECT_EQ(failed.reason, reason) << body;
    }
  }
}

TEST(EtcdRequest, ForeignAnswerIsRefused) {
  for (const char* body : {R"({"kvs":7})", R"({"kvs":[{"key":"?"}]})", R"({"kvs":[{"key":7}]})",
                           R"({"kvs":[{"key":"YQ==","create_revision":"x"}]})"}) {
    try {
      const Reply reply = etcd_reply(command({"get", "a"}, {"key", "create"}), 200, body);
      EXPECT_THROW((void)reply.count(0, 1), StatementFailed) << body;
    } catch (const StatementFailed& failed) {
      EXPECT_FALSE(failed.definite) << body;
    }
  }
}

}  // namespace
}  // namespace holdfast
