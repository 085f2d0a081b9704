// Statements with the values of their operation, as people read them.
#include "reports/sent_statements.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "reports/packed_trial.hpp"
#include "reports/page.hpp"
#include "tests/reports/has.hpp"
#include "tests/reports/made_up_history.hpp"
#include "tests/reports/made_up_run.hpp"

namespace holdfast {
namespace {

TEST(SentStatements, HaveTheirValuesInTheLanguageOfTheStatement) {
  const nlohmann::json values = {{"key", "it's"}, {"token", 7}, {"gone", nullptr}};
  EXPECT_EQ(with_values("SELECT @key, @token, @gone", values, '@'), "SELECT 'it''s', 7, NULL");
  EXPECT_EQ(with_values("redis-cli SET \"$key\" $token", {{"key", "a\"$b"}, {"token", 7}}, '$'),
            "redis-cli SET \"a\\\"\\$b\" 7");
}

TEST(SentStatements, KeepUnknownParameters) {
  EXPECT_EQ(with_values("SELECT @owner, @@version, '@key', \"@key\"", {{"key", "k"}}, '@'),
            "SELECT @owner, @@version, '@key', \"@key\"");
  EXPECT_EQ(with_values("EVAL 'return $key' 1 \"$other\"", {{"key", "k"}}, '$'), "EVAL 'return $key' 1 \"$other\"");
  EXPECT_EQ(with_values("a 'quote without end @key", {{"key", "k"}}, '@'), "a 'quote without end @key");
  EXPECT_EQ(with_values("", {{"key", "k"}}, '@'), "");
}

TEST(SentStatements, BelongToTheViolationsOperations) {
  const auto told = made_up::story("a", "pause", 1'000, 5, true);
  made_up::HistoryInMemory history(told.events, told.names);
  ASSERT_FALSE(told.events.empty());
  std::string name;
  for (const auto& event : told.events) {
    if (!event.statements.empty()) name = event.statements.front().name;
  }
  ASSERT_FALSE(name.empty()) << "the made-up history has statements";
  const auto evidence = trial_evidence(history, told.verdict, {{{name, "SELECT 1 FROM t WHERE k = @key"}}, '@'});
  ASSERT_FALSE(evidence.sent.empty());
  std::set<std::uint64_t> wanted;
  for (const auto& property : told.verdict.properties) {
    for (const auto& witness : property.witnesses) wanted.merge(events_of_witness(told.verdict.timeline, witness));
  }
  for (const auto& one : evidence.sent) {
    EXPECT_TRUE(wanted.contains(one.index) || wanted.contains(one.end_index)) << one.index;
    EXPECT_EQ(one.text, one.name == name ? "SELECT 1 FROM t WHERE k = 'orders'" : "");
  }
  EXPECT_LT(evidence.sent.size(), told.events.size() / 10) << "not of every operation";
}

TEST(SentStatements, HaveTheValuesThatWereSent) {
  auto told = made_up::story("a", "pause", 1'000, 5, true);
  std::string name;
  for (auto& event : told.events) {
    for (auto& statement : event.statements) {
      name = statement.name;
      statement.values = R"({"key":"other","owner":"6f1c","until":9007199254740993})";
    }
  }
  made_up::HistoryInMemory history(told.events, told.names);
  const auto evidence = trial_evidence(history, told.verdict, {{{name, "SET @key, @owner, @until, @left"}}, '@'});
  ASSERT_FALSE(evidence.sent.empty());
  for (const auto& one : evidence.sent) {
    EXPECT_EQ(one.text, one.name == name ? "SET 'other', '6f1c', 9007199254740993, @left" : "");
  }
}

TEST(SentStatements, AreOnThePageWithoutScripts) {
  made_up::Page in = made_up::failing_run();
  const std::string folder = "nowait_lease/skew/1";
  const auto& verdict = in.trials.at(folder);
  const Witness& witness = verdict.find("mutual_exclusion")->witnesses.front();
  const auto events = events_of_witness(verdict.timeline, witness);
  ASSERT_FALSE(events.empty());
  in.sent[folder] = {{3, "acquire", *events.begin(), *events.begin(), 5, "insert", "INSERT <k>", "1 row"},
                     {4, "acquire", 999'999, 999'999, 5, "insert", "of another operation", "1 row"}};
  const std::string page = made_up::page_of(in);
  EXPECT_TRUE(has(page, "INSERT &lt;k&gt;"));
  EXPECT_FALSE(has(page, "of another operation"));
}

}  // namespace
}  // namespace holdfast
