// A page for one history from any source: its result, one timeline, and a glossary. It is the page of a run (page.hpp)
// for a single trial, without the parts that only holdfast's own runs have: expectations and faults.
//
//   HistoryPageInput in{.name = "app.jsonl", .verdict = check_history("app.jsonl")};
//   in.packed = packed_trial(*open_history("app.jsonl"), in.verdict);
//   write_text_file("app.jsonl.html", history_page(in));
#pragma once

#include <string>
#include <vector>

#include "artifact/verdict.hpp"
#include "reports/packed_text.hpp"
#include "reports/sent_statements.hpp"
#include "reports/trial_plots.hpp"

namespace holdfast {

struct HistoryPageInput {
  std::string name;  // of its file, as given
  TrialVerdict verdict;
  PackedText packed;
  std::vector<SentStatement> sent;
  TrialCounts counts;
  std::string version;
  std::string command;  // the command that writes the page again
};

// "VIOLATED", "HOLDS", "UNDECIDED"; "NOTHING JUDGED" where no property was put to the test.
std::string word_of_history(const TrialVerdict&);

std::string history_page(const HistoryPageInput&);

}  // namespace holdfast
