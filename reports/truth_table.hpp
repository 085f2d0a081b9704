// The truth table of one or several runs: for each lock and fault what the scenarios expected, what was seen, and in
// how many of all trials it was as expected.
//
//   const auto rows = truth_table({run_on_monday, run_on_tuesday});
//   say("{}", table_text(rows));
//
// Cells of the same lock and fault that expect the same make one row, whatever their scenario or run. A fault is what a
// trial planned to do ("none"; "clock_drift + pause" for several); where no trial got as far as to say, it is "?".
// "holds" stands for every property that is not named. k of n counts what the scenario's comparison accepts: kinds that
// it tolerates, and `holds` where `not_exercised` was expected, are as expected though the words differ.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>
#include <vector>

#include "artifact/run_verdict.hpp"
#include "reports/markdown_text.hpp"
#include "reports/terminal_text.hpp"

namespace holdfast {

struct TruthRow {
  std::string lock;
  std::string fault;
  std::map<std::string, std::string> expected;  // property -> what the scenario states
  std::set<std::string> applicable;             // properties that apply to the lock
  std::vector<std::string> scenarios;           // each once, in order
  std::map<std::string, int> seen;              // in words -> in how many trials
  int as_expected = 0;
  int allowed = 0;  // of those: violated, in a way that is allowed
  int trials = 0;
};

std::vector<TruthRow> truth_table(const std::vector<RunVerdict>& runs);

// "violated:overrun mutual_exclusion, resource; not_exercised ownership", or "holds", or "holds, or not exercised:
// ownership"; nothing of what does not apply to the lock.
std::string expected_words(const TruthRow& row);
std::string seen_words(const TruthRow& row);  // with counts where trials differ: "holds (2) / violated:... (1)"

// The runs' notes about their locks, each once (RunVerdict::notes).
std::vector<std::string> notes_of_all(const std::vector<RunVerdict>& runs);

// The notes stand below the rows.
TerminalText table_text(const std::vector<TruthRow>& rows, const std::vector<std::string>& notes = {});
Markdown table_markdown(const std::vector<TruthRow>& rows, const std::vector<std::string>& notes = {});
nlohmann::json table_json(const std::vector<TruthRow>& rows, const std::vector<std::string>& notes = {});

// The exit code of several runs together: the first that applies of 130, 1, 5, 3, 4, 0.
int exit_code_of_all(const std::vector<RunVerdict>& runs);

}  // namespace holdfast
