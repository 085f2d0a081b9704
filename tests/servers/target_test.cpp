// Parts of --target, whose password is never shown.
#include "servers/target.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "lock/lock.hpp"
#include "servers/mysql/mysql_client.hpp"
#include "servers/redis/redis_file.hpp"
#include "servers/server_type.hpp"
#include "servers/sql_file.hpp"
#include "tests/refusal.hpp"

namespace holdfast {
namespace {

class TargetText : public testing::Test {
 protected:
  void SetUp() override { ::unsetenv(kTargetPassword); }
  void TearDown() override { ::unsetenv(kTargetPassword); }
};

std::string after_hiding(std::string argument) {
  char program[] = "holdfast";
  char flag[] = "--target";
  char* argv[] = {program, flag, argument.data()};
  hide_target_password(3, argv);
  return argument;
}

TEST_F(TargetText, NamesAMySqlServer) {
  const Target t = parse_target("mysql://me:s%40cret%25@db.example:3307/app");
  EXPECT_EQ(t.server, "mysql");
  EXPECT_EQ(t.host, "db.example");
  EXPECT_EQ(t.port, 3307u);
  EXPECT_EQ(t.user, "me");
  EXPECT_EQ(t.password, "s@cret%");
  const Target marks = parse_target("mysql://app%3Ax%25@h/app");
  EXPECT_EQ(parse_target(marks.text()).user, "app:x%") << "a child reads what its parent wrote";
  EXPECT_EQ(parse_target(marks.text()).database, marks.database);
  EXPECT_EQ(t.database, "app");
  EXPECT_EQ(t.text(), "mysql://me:***@db.example:3307/app");
  EXPECT_EQ(t.place(), "db.example:3307/app");
  EXPECT_EQ(parse_target("mysql://me@[::1]/app").text(), "mysql://me@[::1]:3306/app");
}

TEST_F(TargetText, NamesARedisServer) {
  const Target t = parse_target("redis://:s:cret@localhost/3");
  EXPECT_EQ(t.server, "redis");
  EXPECT_EQ(t.password, "s:cret");
  EXPECT_EQ(t.database, "3");
  EXPECT_EQ(t.text(), "redis://:***@localhost:6379/3");
  EXPECT_EQ(parse_target("redis://h:1").database, "0");
  EXPECT_EQ(parse_target("redis://me:x@h").user, "me");
}

// The text without its password and the environment are what a trial's processes are given.
TEST_F(TargetText, PasswordComesFromTheEnvironment) {
  ::setenv(kTargetPassword, "s@cret", 1);
  EXPECT_EQ(parse_target("mysql://me:***@h/app#holdfast_1a2b3c4d_1_").password, "s@cret");
  EXPECT_EQ(parse_target("mysql://me:***@h/app#holdfast_1a2b3c4d_1_").prefix, "holdfast_1a2b3c4d_1_");
  EXPECT_EQ(parse_target("mysql://me@h/app").password, "s@cret");
  EXPECT_EQ(parse_target("mysql://me:other@h/app").password, "other");
}

TEST_F(TargetText, HidesThePasswordOfTheCommandLine) {
  EXPECT_EQ(after_hiding("mysql://me:a%3ab@cret@h/app"), "mysql://me:**********@h/app");
  EXPECT_STREQ(std::getenv(kTargetPassword), "a:b@cret");
  EXPECT_EQ(parse_target("mysql://me:**********@h/app").password, "a:b@cret");
  EXPECT_EQ(after_hiding("mysql://me@h/app"), "mysql://me@h/app");
  EXPECT_EQ(after_hiding("redis://:x@h"), "redis://:*@h");
  EXPECT_STREQ(std::getenv(kTargetPassword), "x");
}

TEST_F(TargetText, HidesAnythingLikeAPassword) {
  const auto hidden = [](std::string argument) {
    char program[] = "holdfast";
    char* argv[] = {program, argument.data()};
    hide_target_password(2, argv);
    return argument;
  };
  EXPECT_EQ(hidden("mysql://me:secret@h/app"), "mysql://me:******@h/app");
  EXPECT_EQ(std::getenv(kTargetPassword), nullptr) << "only a target's is kept";
  EXPECT_EQ(hidden("--targt=mysql://me:secret@h/app?ca=a@b"), "--targt=mysql://me:******@h/app?ca=a@b");
  EXPECT_EQ(hidden("mysql://me:secret"), "mysql://me:******");
  EXPECT_EQ(hidden("mysql://me:se/cret@h/app"), "mysql://me:*******@h/app");
  EXPECT_EQ(hidden("mysql:/me:secret@h"), "mysql:/me:******@h");
  for (const char* plain :
       {"mysql://me@h:3306/app", "mysql://h:3306/app", "mysql://me@[::1]:1/app", "redis://[::1]:1", "redis://h",
        "scenarios/a:b@c", "--only=a:b@c", "/tmp/a:b@c/run", "--jobs=3", "mysqld=/x:y"}) {
    EXPECT_EQ(hidden(plain), plain);
  }
}

// From 11.4 on MariaDB's client refuses a server without TLS, unless an option allows it.
TEST_F(TargetText, ClientCommandFollowsTheTargetsTls) {
  const auto command = [](const std::string& text) {
    const Target target = parse_target(text);
    return server_type(target.server).client_command(target);
  };
  EXPECT_TRUE(contains(command("mysql://me@h/app"), " --skip-ssl ")) << command("mysql://me@h/app");
  const std::string tls = command("mysql://me@h/app?tls=required");
  EXPECT_TRUE(contains(tls, " --ssl-verify-server-cert ")) << tls;
  EXPECT_FALSE(contains(tls, "--skip-ssl")) << tls;
}

TEST_F(TargetText, TlsIsOptional) {
  EXPECT_FALSE(parse_target("mysql://me@h/app").security.tls);
  EXPECT_FALSE(parse_target("mysql://me@h/app?tls=off").security.tls);
  const Target mysql = parse_target("mysql://me@h/app?tls=required&ca=/etc/passwd#holdfast_1a2b3c4d_1_");
  EXPECT_TRUE(mysql.security.tls);
  EXPECT_EQ(mysql.security.ca, "/etc/passwd");
  EXPECT_EQ(mysql.prefix, "holdfast_1a2b3c4d_1_");
  EXPECT_EQ(mysql.text(), "mysql://me@h:3306/app?tls=required&ca=%2Fetc%2Fpasswd#holdfast_1a2b3c4d_1_");
  EXPECT_EQ(parse_target(mysql.text()).text(), mysql.text());
  const Target redis = parse_target("rediss://me@h/2?ca=/etc/passwd");
  EXPECT_TRUE(redis.security.tls);
  EXPECT_EQ(redis.database, "2");
  EXPECT_EQ(parse_target(redis.text()).text(), redis.text());
  EXPECT_EQ(parse_target("rediss://h").text(), "rediss://h:6379/0");
  EXPECT_TRUE(parse_target("redis://h?tls=required").security.tls);
  const auto said = [](const std::string& text) { return refusal([&] { parse_target(text); }); };
  EXPECT_TRUE(contains(said("mysql://me@h/app?tls=preferred"), "tls must be off or required"));
  EXPECT_TRUE(contains(said("rediss://h?tls=off"), "contradict"));
  EXPECT_TRUE(contains(said("mysql://me@h/app?ca=/etc/passwd"), "has no effect without tls=required"));
  EXPECT_TRUE(contains(said("mysql://me@h/app?tls=required&ca=/nowhere"), "ca: the file cannot be read"));
  EXPECT_TRUE(contains(said("mysql://me@h/app?x=1"), "the part after the ?"));
}

TEST_F(TargetText, RefusesInvalidTargets) {
  const auto said = [](const std::string& text) { return refusal([&] { parse_target(text); }); };
  EXPECT_TRUE(contains(said("oracle://me:secret@h/app"), "neither mysql://"));
  EXPECT_TRUE(contains(said("mysql://h/app"), "no user"));
  EXPECT_TRUE(contains(said("mysql://me:secret@h"), "no database"));
  EXPECT_TRUE(contains(said("mysql://me:secret@/app"), "no host"));
  EXPECT_TRUE(contains(said("mysql://me:secret@h:0/app"), "is not a port"));
  EXPECT_TRUE(contains(said("mysql://me:secret@h:99999/app"), "is not a port"));
  EXPECT_TRUE(contains(said("redis://h/x"), "not the number of a Redis database"));
  EXPECT_TRUE(contains(said("mysql://me:***@h/app"), kTargetPassword));
  EXPECT_TRUE(contains(said("mysql://me@h/app#holdfast_1a2b3c4d_1_x"), "not the name of a trial"));
  EXPECT_TRUE(contains(said("mysql://me@h/app#x`"), "not the name of a trial"));
  EXPECT_TRUE(contains(said("redis://@[[t!"), "brackets"));
  EXPECT_TRUE(contains(said("redis://[::1]x"), "brackets"));
  EXPECT_TRUE(contains(said("redis://h;x"), "neither a name nor an address"));
  for (const char* text : {"gopher://me:secret@h/app", "mysql://me:secret@h:0/app", "mysql://me:secret@h",
                           "mysql://me:secret/x@h/app", "mysql://me:secret", "redis://:secret#@h", "redis://h/secret@x",
                           "mysql://me:secret?x@h/app", "mysql://me@h/app?secret", "mysql://me@h/app?ca=secret"}) {
    EXPECT_FALSE(contains(said(text), "secret")) << text;
  }
}

// Every lock's tables can be made beside tables of others.
TEST(LocksOnATarget, EveryTableOfEveryLockCanBeSigned) {
  for (const auto& [name, type] : locks()) {
    if (std::string(type->server) != "mysql") continue;
    const SqlFile file = mysql_file(lock_file(name), "holdfast_1a2b3c4d_99_");
    if (!file.has("schema")) continue;
    const std::string schema = file.bind("schema", {}, nullptr);
    EXPECT_TRUE(contains(schema, "CREATE TABLE holdfast_1a2b3c4d_99_")) << schema;
    const auto begin = schema.find("holdfast_");
    EXPECT_LE(schema.find_first_of(" (", begin) - begin, 64u) << "the longest name that MySQL takes";
  }
}

}  // namespace
}  // namespace holdfast
