// Routes to several Redis servers: information in replies, and configuration of servers.
#include "servers/redis/redis_routes.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <tuple>

#include "servers/redis/redis_cluster.hpp"
#include "servers/redis/redis_servers.hpp"
#include "servers/server_type.hpp"

namespace holdfast {
namespace {

Reply answered_with(const std::string& message) {
  return Reply::refused(ErrorKind::unknown, kRedisError, message);
}

TEST(RedisRoutes, MovedReplyNamesTheServer) {
  const MovedTo there = moved_to(answered_with("MOVED 8579 10.77.0.5:6379"));
  EXPECT_EQ(there.host, "10.77.0.5");
  EXPECT_EQ(there.port, 6379);
}

TEST(RedisRoutes, OtherRepliesNameNoServer) {
  EXPECT_EQ(moved_to(Reply{}).host, "");
  for (const char* other : {"ERR MOVED 1 10.77.0.5:6379", "MOVED", "MOVED 8579", "MOVED 8579 10.77.0.5",
                            "MOVED 8579 10.77.0.5:", "MOVED 8579 10.77.0.5:63x9", "ASK 8579 10.77.0.5:6379"}) {
    EXPECT_EQ(moved_to(answered_with(other)).host, "") << other;
  }
}

TEST(RedisRoutes, InfoIsReadByLine) {
  Reply info;
  info.rows = {{"# Replication\r\nrole:slave\r\nmaster_host:10.77.0.2\r\nlast:x"}};
  EXPECT_EQ(said_by_redis(info, "role"), "slave");
  EXPECT_EQ(said_by_redis(info, "master_host"), "10.77.0.2");
  EXPECT_EQ(said_by_redis(info, "last"), "x");
  EXPECT_EQ(said_by_redis(info, "host"), "");
  EXPECT_EQ(said_by_redis(Reply{}, "role"), "");
}

TEST(RedisRoutes, ClusterStateFileIsComplete) {
  const std::string a(39, 'a');
  EXPECT_EQ(cluster_state(3, 6), a + "1 10.77.0.2:6379@16379 master - 0 0 1 connected 0-5460\n" + a +
                                     "2 10.77.0.5:6379@16379 master - 0 0 2 connected 5461-10922\n" + a +
                                     "3 10.77.0.6:6379@16379 master - 0 0 3 connected 10923-16383\n" + a +
                                     "4 10.77.0.7:6379@16379 myself,slave " + a + "1 0 0 1 connected\n" + a +
                                     "5 10.77.0.8:6379@16379 slave " + a + "2 0 0 2 connected\n" + a +
                                     "6 10.77.0.9:6379@16379 slave " + a +
                                     "3 0 0 3 connected\nvars currentEpoch 3 lastVoteEpoch 0\n");
}

TEST(RedisRoutes, QuorumStatementsNameTheirServer) {
  const RedisFile commands = RedisFile::parse("# name: acquire\nredis-cli PING\n", "x.redis");
  RedisAddress nobody;
  nobody.host = "127.0.0.1";
  nobody.port = 1;
  QuorumStatements db({nobody, nobody}, commands);
  EXPECT_EQ(db.servers(), 2U);
  EXPECT_THROW(db.connect_for("acquire@2"), std::out_of_range);
  try {
    db.connect_for("acquire@1");
    FAIL() << "nobody answered there";
  } catch (const StatementFailed& failed) {
    EXPECT_TRUE(failed.definite);
    EXPECT_EQ(failed.reason, Reason::unavailable);
  }
}

TEST(RedisRoutes, TopologiesDeclareKnownServers) {
  for (const auto& [name, servers, all_known, independent] :
       {std::tuple{"quorum", 5U, true, true}, {"sentinel", 3U, true, false}, {"cluster", 6U, true, false}}) {
    const Topology* topology = server_type("redis").topology(name);
    ASSERT_NE(topology, nullptr) << name;
    EXPECT_EQ(topology->servers, servers) << name;
    EXPECT_EQ(topology->all_known, all_known) << name;
    EXPECT_EQ(topology->independent, independent) << name;
  }
}

}  // namespace
}  // namespace holdfast
