// The source of each statement: read from the lock's file, and present for all.
#include "lock/lock_texts.hpp"

#include <gtest/gtest.h>

#include <regex>
#include <set>

#include "lock/lock.hpp"

namespace holdfast {
namespace {

TEST(StatementTexts, AreReadWithTheirSource) {
  const auto read = read_statement_texts(
      "-- a head\nSET @key = 'x';\n\n-- name: one\n-- from: document 000:14\nINSERT 1;\n-- a remark\n  more;\n\n"
      "-- name: two\n-- from: ours\n-- why: nobody prints it\nDELETE;\n",
      "--");
  ASSERT_EQ(read.size(), 2U);
  EXPECT_EQ(read[0].name, "one");
  EXPECT_EQ(read[0].from, "document 000:14");
  EXPECT_EQ(read[0].text, "INSERT 1;\n  more;\n");
  EXPECT_FALSE(read[0].ours());
  EXPECT_EQ(read[1].differs, "nobody prints it");
  EXPECT_TRUE(read[1].ours());
}

TEST(StatementTexts, EveryStatementNamesItsSource) {
  static const std::regex kFrom(
      "document 00[0-4]:[0-9]+(-[0-9]+)?(, [0-9]+(-[0-9]+)?)*|"
      "ours(, as document 00[0-4]:[0-9]+)?");
  for (const auto& [name, type] : locks()) {
    std::set<std::string> told;
    for (const auto& statement : statement_texts(name)) {
      EXPECT_TRUE(std::regex_match(statement.from, kFrom)) << name << ": " << statement.name << ": " << statement.from;
      EXPECT_FALSE(statement.text.empty()) << name << ": " << statement.name;
      EXPECT_TRUE(!statement.ours() || !statement.differs.empty() || statement.from != "ours")
          << name << ": " << statement.name << " is ours, and why is not said";
      told.insert(statement.name);
    }
    const auto names = statement_names(name);
    EXPECT_EQ(told, std::set<std::string>(names.begin(), names.end())) << name;
  }
}

}  // namespace
}  // namespace holdfast
