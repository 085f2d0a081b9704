#include "reports/truth_table.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>

#include "tests/reports/has.hpp"
#include "tests/reports/made_up_run.hpp"

namespace holdfast {
namespace {

// A run in which every cell names its fault: its scenario's name, except for "none".
RunVerdict run_with_faults(int trials = 1) {
  RunVerdict run = made_up::failing_run(trials).run;
  for (auto& cell : run.cells) {
    for (auto& trial : cell.trials) {
      if (cell.scenario != "none") trial.faults = {{cell.scenario, 1, 1, "", ""}};
    }
  }
  return run;
}

const TruthRow& row_of(const std::vector<TruthRow>& rows, std::string_view lock, std::string_view fault) {
  for (const auto& row : rows) {
    if (row.lock == lock && row.fault == fault) return row;
  }
  throw std::out_of_range(std::string(lock) + " under " + std::string(fault));
}

TEST(TruthTable, ShowsExpectedBesideSeen) {
  const auto rows = truth_table({run_with_faults()});
  const auto& caught = row_of(rows, "insert_lease", "pause");
  EXPECT_EQ(expected_words(caught), "violated:overrun mutual_exclusion, resource");
  EXPECT_TRUE(has(seen_words(caught), "violated:")) << seen_words(caught);
  EXPECT_EQ(caught.as_expected, 1);
  const auto& missed = row_of(rows, "ip_lease", "none");
  EXPECT_EQ(expected_words(missed), "violated:overrun mutual_exclusion, resource");
  EXPECT_EQ(seen_words(missed).rfind("holds", 0), 0U) << seen_words(missed);
  EXPECT_EQ(missed.as_expected, 0);
  const auto& unexpected = row_of(rows, "nowait_lease", "skew");
  EXPECT_EQ(expected_words(unexpected), "holds");
  EXPECT_TRUE(has(seen_words(unexpected), "violated:")) << seen_words(unexpected);
}

TEST(TruthTable, UnjudgedIsNotPass) {
  const auto rows = truth_table({run_with_faults()});
  EXPECT_TRUE(has(seen_words(row_of(rows, "fenced_lease", "skew")), "not_exercised lease_exclusion"));
  EXPECT_EQ(seen_words(row_of(rows, "fenced_lease", "kill_server")), "harness error");
  EXPECT_EQ(seen_words(row_of(rows, "fenced_lease", "partition")), "unavailable here");
}

TEST(TruthTable, AddsUpTrialsOfSeveralRuns) {
  const auto rows = truth_table({run_with_faults(2), run_with_faults(3)});
  const auto& row = row_of(rows, "insert_lease", "pause");
  EXPECT_EQ(row.trials, 5);
  EXPECT_EQ(row.as_expected, 5);
  EXPECT_EQ(row.scenarios, std::vector<std::string>{"pause"});
  EXPECT_TRUE(has(table_text(rows).text(), "pause  5 of 5 as expected  (pause)"));
  EXPECT_TRUE(has(table_text(rows).text(), "! skew  0 of 5 as expected"));
}

TEST(TruthTable, CountsEachResult) {
  RunVerdict run = run_with_faults(3);
  for (auto& cell : run.cells) {
    if (cell.lock == "insert_lease" && cell.scenario == "skew") cell.trials[0].outcome = Outcome::harness_error;
  }
  const std::string seen = seen_words(row_of(truth_table({run}), "insert_lease", "skew"));
  EXPECT_TRUE(has(seen, "harness error (1) / ")) << seen;
  EXPECT_TRUE(has(seen, "(2)")) << seen;
}

TEST(TruthTable, SeparatesDifferentExpectations) {
  RunVerdict other = run_with_faults();
  for (auto& cell : other.cells) cell.expected = {{"progress", "violated:stuck"}};
  EXPECT_EQ(truth_table({run_with_faults(), other}).size(), 2 * truth_table({other}).size());
}

TEST(TruthTable, DoesNotGuessAFault) {
  RunVerdict run = run_with_faults();
  for (auto& cell : run.cells) {
    for (auto& trial : cell.trials) {
      trial.faults.clear();
      trial.verdict = {};
    }
  }
  for (const auto& row : truth_table({run})) EXPECT_EQ(row.fault, "?");
}

TEST(TruthTable, MarkdownAndJsonAgree) {
  const auto rows = truth_table({run_with_faults()});
  const std::string markdown = table_markdown(rows).text();
  EXPECT_EQ(static_cast<std::size_t>(std::count(markdown.begin(), markdown.end(), '\n')), rows.size() + 2);
  EXPECT_TRUE(has(markdown, "| ip_lease | none | 0 of 1 |"));
  const auto json = table_json(rows);
  EXPECT_EQ(json["rows"].size(), rows.size());
  EXPECT_EQ(json["rows"][0]["trials"], 1);
}

TEST(TruthTable, ListsRunNotesOnceBelowTheRows) {
  RunVerdict run = run_with_faults();
  EXPECT_TRUE(notes_of_all({run}).empty());
  run.notes = {"ip_lease: its server is a stand-in"};
  const auto notes = notes_of_all({run, run_with_faults(), run});
  EXPECT_EQ(notes, run.notes);
  const auto rows = truth_table({run});
  EXPECT_TRUE(has(table_text(rows, notes).text(), "\n\nip_lease: its server is a stand-in\n"));
  EXPECT_TRUE(has(table_markdown(rows, notes).text(), "|\n\nip_lease: its server is a stand-in\n"));
  EXPECT_EQ(table_json(rows, notes).at("notes"), nlohmann::json(notes));
}

TEST(TruthTable, HostileNameStaysInItsCell) {
  const auto rows = truth_table({made_up::hostile_run().run});
  const std::string markdown = table_markdown(rows).text();
  EXPECT_EQ(static_cast<std::size_t>(std::count(markdown.begin(), markdown.end(), '\n')), rows.size() + 2);
  EXPECT_FALSE(has(markdown, "\x1b"));
  EXPECT_FALSE(has(table_text(rows).text(), "\x1b"));
  EXPECT_TRUE(has(markdown, "\\</script\\>"));
}

TEST(TruthTable, MostSevereRunDecides) {
  const auto with = [](int code) {
    RunVerdict run;
    run.exit_code = code;
    return run;
  };
  EXPECT_EQ(exit_code_of_all({with(0), with(0)}), 0);
  EXPECT_EQ(exit_code_of_all({with(0), with(4)}), 4);
  EXPECT_EQ(exit_code_of_all({with(3), with(4)}), 3);
  EXPECT_EQ(exit_code_of_all({with(5), with(3)}), 5);
  EXPECT_EQ(exit_code_of_all({with(5), with(1)}), 1);
  EXPECT_EQ(exit_code_of_all({with(1), with(130)}), 130);
  EXPECT_EQ(truth_table({with(130)}).size(), 0U);
  EXPECT_EQ(table_text({}).text(), "no trial ran\n");
}

}  // namespace
}  // namespace holdfast
