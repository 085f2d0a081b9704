// ZooKeeper files: names, words, parameters, what each command may say; and what is refused.
#include "servers/zookeeper/zookeeper_file.hpp"

#include <gtest/gtest.h>

#include "tests/refusal.hpp"

namespace holdfast {
namespace {

using Names = std::vector<std::string>;

ZooKeeperFile zookeeper_file_of(const std::string& command) {
  return ZooKeeperFile::parse("# name: c\n" + command + "\n", "x.zookeeper");
}

std::string zookeeper_refusal(const std::string& command) {
  return refusal([&] { zookeeper_file_of(command); });
}

TEST(ZooKeeperFile, NamesItsCommands) {
  const auto file = ZooKeeperFile::parse("key=a\nls /before\n# name: two\nls /b\n\n# name: one\ndelete /a\n", "x");
  EXPECT_EQ(file.names(), (Names{"one", "two"}));
  EXPECT_TRUE(file.has("one"));
  EXPECT_FALSE(file.has("three"));
  EXPECT_EQ(file.bind("one", {}).path, "/a");
  EXPECT_FALSE(file.opens("one"));
  EXPECT_TRUE(zookeeper_file_of("zkCli.sh -timeout 3000").opens("c"));
}

TEST(ZooKeeperFile, PutsParametersInPlace) {
  const auto file = zookeeper_file_of("# answers: czxid path\ncreate -s -e \"/l/$key/$n-\" \"$owner\"");
  const std::string odd = "a b'\"$(x)";
  const auto command = file.bind("c", {{"key", odd}, {"owner", std::string()}, {"n", std::int64_t{-5}}});
  EXPECT_EQ(command.verb, ZooKeeperVerb::create);
  EXPECT_TRUE(command.sequential && command.ephemeral);
  EXPECT_EQ(command.path, "/l/" + odd + "/-5-");
  EXPECT_EQ(command.data, "");
  EXPECT_EQ(command.answers, (Names{"czxid", "path"}));
  EXPECT_EQ(file.parameters("c"), (Names{"key", "n", "owner"}));
  EXPECT_THROW(file.bind("c", {{"key", odd}}), std::logic_error);
  EXPECT_THROW(file.bind("d", {}), std::logic_error);
}

TEST(ZooKeeperFile, ReadsEachCommand) {
  EXPECT_EQ(zookeeper_file_of("zkCli.sh -timeout \"$ms\"").bind("c", {{"ms", std::int64_t{3000}}}).session_ms, 3000);
  const auto set = zookeeper_file_of("set -v 7 /a x").bind("c", {});
  EXPECT_EQ(set.version, 7);
  EXPECT_EQ(set.data, "x");
  EXPECT_EQ(zookeeper_file_of("delete \"$path\"").bind("c", {{"path", std::string("/a")}}).version, -1);
  EXPECT_EQ(zookeeper_file_of("ls /a").bind("c", {}).verb, ZooKeeperVerb::list);
  EXPECT_EQ(zookeeper_file_of("get /a").bind("c", {}).verb, ZooKeeperVerb::get);
  EXPECT_EQ(zookeeper_file_of("stat /a").bind("c", {}).verb, ZooKeeperVerb::stat);
  EXPECT_EQ(zookeeper_file_of("sync /a").bind("c", {}).verb, ZooKeeperVerb::sync);
}

TEST(ZooKeeperFile, RefusesUnknownCommands) {
  EXPECT_TRUE(contains(zookeeper_refusal("creat /a b"), "x.zookeeper:2: unknown command of zkCli.sh 'creat'"));
  EXPECT_TRUE(contains(zookeeper_refusal("# answers: zxid\nstat /a"), "did you mean 'czxid'?"));
  EXPECT_TRUE(contains(zookeeper_refusal("ls a"), "begins with /"));
  EXPECT_TRUE(contains(zookeeper_refusal("ls"), "the path of a node is missing"));
  EXPECT_TRUE(contains(zookeeper_refusal("ls /a /b"), "'/b' is not expected here"));
  EXPECT_TRUE(contains(zookeeper_refusal("create /a"), "the node's data is missing"));
  EXPECT_TRUE(contains(zookeeper_refusal("set -v x /a b"), "'x' is not a number"));
  EXPECT_TRUE(contains(zookeeper_refusal("zkCli.sh"), "needs -timeout"));
  EXPECT_TRUE(contains(zookeeper_refusal("ls \"/a"), "a quote has no end"));
  EXPECT_TRUE(contains(zookeeper_refusal("ls \"/a\"b"), "a space must follow"));
  EXPECT_TRUE(contains(zookeeper_refusal("ls /a`b`"), "is not allowed here"));
  EXPECT_TRUE(contains(zookeeper_refusal("ls /$1"), "a parameter is named by letters"));
  EXPECT_TRUE(contains(zookeeper_refusal("ls /a\nls /b"), "x.zookeeper:3: 'c' has a second command"));
  EXPECT_TRUE(contains(refusal([] { ZooKeeperFile::parse("# name: a\n# name: b\nls /\n", "x"); }), "has no command"));
  EXPECT_TRUE(contains(refusal([] { ZooKeeperFile::parse("# name: a\nls /\n# name: a\nls /\n", "x"); }), "new name"));
}

}  // namespace
}  // namespace holdfast
