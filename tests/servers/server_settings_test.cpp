// The keys of a scenario's `server`: each kind reads its own, and what no kind knows is refused with file and line.
#include "servers/server_type.hpp"

#include <gtest/gtest.h>

#include "servers/mysql/start_mariadb.hpp"
#include "servers/redis/start_redis.hpp"
#include "tests/refusal.hpp"

namespace holdfast {
namespace {

ServerSettings settings(const std::string& members) {
  const JsonNode root = parse_json_text("{\"server\": {" + members + "}}", "x.json");
  ObjectReader in(root);
  ServerSettings out;
  read_server(in, out);
  return out;
}

std::string said_of(const std::string& members) {
  return refusal([&] { check_server_settings(settings(members)); });
}

TEST(ServerSettings, AreReadByTheirServerKind) {
  const ServerSettings all = settings(R"("innodb_flush_log_at_trx_commit": 0, "redis_persistence": "aof_always")");
  EXPECT_EQ(mysql_settings(all).flush_log_at_commit, 0);
  EXPECT_EQ(redis_persistence(all), "aof_always");
  EXPECT_EQ(mysql_settings({}).flush_log_at_commit, 1);
  EXPECT_TRUE(mysql_settings({}).explicit_defaults_for_timestamp);
  EXPECT_EQ(redis_persistence({}), "none");
}

TEST(ServerSettings, UnknownSettingIsRefused) {
  EXPECT_EQ(said_of(R"("innodb_flush_log_at_trx_commit": 2)"), "accepted");
  EXPECT_EQ(said_of(R"("innodb_flush_log_at_trx_commit": 3)"),
            "x.json:1: server.innodb_flush_log_at_trx_commit: must be from 0 to 2");
  EXPECT_TRUE(contains(said_of(R"("redis_persistense": "none")"),
                       "unknown key 'redis_persistense' (did you mean 'redis_persistence'?)"));
  EXPECT_TRUE(contains(said_of(R"("redis_persistence": "always")"), "unknown redis_persistence 'always'"));
}

// Later settings, of a lock or of a control, win key by key.
TEST(ServerSettings, AreMergedByKey) {
  ServerSettings all = settings(R"("innodb_flush_log_at_trx_commit": 0, "explicit_defaults_for_timestamp": false)");
  const JsonNode later = parse_json_text(R"({"server": {"innodb_flush_log_at_trx_commit": 1}})", "x.json");
  ObjectReader in(later);
  read_server(in, all);
  EXPECT_EQ(mysql_settings(all).flush_log_at_commit, 1);
  EXPECT_FALSE(mysql_settings(all).explicit_defaults_for_timestamp);
}

}  // namespace
}  // namespace holdfast
