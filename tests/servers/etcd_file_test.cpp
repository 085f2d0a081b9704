// etcd files: names, words, parts of a txn, parameters; and what is refused because a shell would read it otherwise.
#include "servers/etcd/etcd_file.hpp"

#include <gtest/gtest.h>

#include "tests/refusal.hpp"

namespace holdfast {
namespace {

using Words = std::vector<std::string>;

EtcdFile etcd_commands_of(const std::string& command) {
  return EtcdFile::parse("# name: c\n" + command, "x.etcd");
}

std::string etcd_refusal_of(const std::string& command) {
  return refusal([&] { etcd_commands_of(command); });
}

const std::string kTxn =
    "etcdctl txn <<EOF\n"
    "create(\"/l/$key\") = \"0\"\n"
    "value(\"x\") != \"$owner\"\n"
    "\n"
    "put \"/l/$key\" \"$owner\" --lease=$lease\n"
    "\n"
    "del \"/l/$key\"\n"
    "\n"
    "EOF\n";

TEST(EtcdFile, NamesItsCommands) {
  const EtcdFile file = EtcdFile::parse(
      "key=a\nlease=$(etcdctl lease grant 3)\n# about\n# name: two\netcdctl get b\n# more\n\n# name: one\netcdctl del "
      "a\n",
      "x");
  EXPECT_EQ(file.names(), (Words{"one", "two"}));
  EXPECT_TRUE(file.has("one"));
  EXPECT_FALSE(file.has("three"));
  EXPECT_EQ(file.bind("one", {}).words, (Words{"del", "a"}));
  EXPECT_TRUE(EtcdFile::parse("etcdctl get b\n", "x").names().empty()) << "before the first name: a person's";
}

TEST(EtcdFile, PutsParametersInPlace) {
  const EtcdFile file = etcd_commands_of("etcdctl put \"/l/$key/$n\" \"$owner\"\n");
  const std::string odd = "a b'\"$(x)\n";
  EXPECT_EQ(file.bind("c", {{"key", odd}, {"owner", std::string()}, {"n", std::int64_t{-5}}}).words,
            (Words{"put", "/l/" + odd + "/-5", ""}));
  EXPECT_EQ(file.parameters("c"), (Words{"key", "n", "owner"}));
  EXPECT_THROW(file.bind("c", {{"key", odd}}), std::logic_error);
  EXPECT_THROW(file.bind("d", {}), std::logic_error);
}

TEST(EtcdFile, ReadsThePartsOfATxn) {
  const EtcdFile file = etcd_commands_of("# answers: revision\n" + kTxn + "# name: d\netcdctl get a\n");
  const EtcdCommand txn =
      file.bind("c", {{"key", std::string("k")}, {"owner", std::string("me")}, {"lease", std::string("1f")}});
  EXPECT_EQ(txn.words, Words{"txn"});
  ASSERT_EQ(txn.compares.size(), 2U);
  EXPECT_EQ(txn.compares[0].target + txn.compares[0].key + txn.compares[0].sign + txn.compares[0].value,
            "create/l/k=0");
  EXPECT_EQ(txn.compares[1].target + txn.compares[1].key + txn.compares[1].sign + txn.compares[1].value, "valuex!=me");
  ASSERT_EQ(txn.then.size(), 1U);
  EXPECT_EQ(txn.then[0], (Words{"put", "/l/k", "me", "--lease=1f"}));
  ASSERT_EQ(txn.otherwise.size(), 1U);
  EXPECT_EQ(txn.otherwise[0], (Words{"del", "/l/k"}));
  EXPECT_EQ(txn.answers, Words{"revision"});
  EXPECT_TRUE(file.bind("d", {}).answers.empty()) << "those of one command are no other's";
}

TEST(EtcdFile, RefusesWithTheLine) {
  EXPECT_EQ(etcd_refusal_of("etcdctl get a\n"), "accepted");
  EXPECT_EQ(etcd_refusal_of(kTxn), "accepted");
  const std::vector<std::pair<std::string, std::string>> wrong{
      {"etcdctl get a\netcdctl get b\n", "x.etcd:3: 'c' has a second command"},
      {"", "'c' has no command"},
      {"etcdctl get a\n# name: c\n", "x.etcd:3: 'c': each command needs a new name"},
      {"get a\n", "x.etcd:2: a command begins with etcdctl"},
      {"etcdctl\n", "the name of a command is missing"},
      {"etcdctl watch a\n", "watch"},
      {"etcdctl get $key\n", "'$' is not allowed here"},
      {"etcdctl get a; rm b\n", "';' is not allowed here"},
      {"etcdctl get \"a`b\"\n", "'`' is not allowed here"},
      {"etcdctl get \"$1\"\n", "a parameter is named by"},
      {"etcdctl get \"a\n", "a quote has no end"},
      {"etcdctl get \"a\"b\n", "a space must follow"},
      {"etcdctl get a b\n", "1 arguments are expected, not 2"},
      {"etcdctl get a --limt=1\n", "--limt is not supported"},
      {"etcdctl lease keep-alive 1f\n", "needs --once"},
      {"etcdctl put a b --lease=zz\n", "'zz' is not a number of base 16"},
      {"# answers: revisoin\netcdctl put a b\n", "revisoin"},
      {"etcdctl txn <<EOF\nEOF\n", "EOF comes too early"},
      {"etcdctl txn <<EOF\n\n\n\nput a b\nEOF\n", "EOF is expected here"},
      {"etcdctl txn <<EOF\ncreate(a) = 0\n\n\n\nEOF\n", "write create(\"KEY\") = \"0\""},
      {"etcdctl txn <<EOF\n\nget a\n\n\nEOF\n", "can only put and delete"},
      {"etcdctl txn <<EOF\nmade(\"a\") = \"0\"\n\n\n\nEOF\n", "'made' cannot be compared"},
      {"etcdctl txn <<EOF\n\n", "the txn is not closed"},
  };
  for (const auto& [text, part] : wrong) {
    EXPECT_TRUE(contains(etcd_refusal_of(text), part)) << text << " said: " << etcd_refusal_of(text);
  }
}

}  // namespace
}  // namespace holdfast
