// An index of all runs in a folder: what each was, how it ended, and a link to its page; the newest first. Before it,
// the trends of the cells of suites that ran more than once (run_trends.hpp).
//
//   write_text_file("runs/index.html", runs_page({.folder = "runs", .runs = {...}}));
//
// It says only what each run's own files say. A run that came to no end, or whose files cannot be read, is in the list
// with the reason: a missing line would look like a run that never was.
#pragma once

#include <string>
#include <vector>

#include "reports/run_trends.hpp"

namespace holdfast {

struct RunLine {
  std::string folder;  // its name
  std::string page;    // page of the folder; empty: none
  std::string word;    // "PASS", "COMPARED"
  std::string claim;   // "70 of 70 cells as expected"
  std::string tone;    // pass, fail, open, or empty
  std::string what;    // suite, locks
  std::string circumstances;
  std::string started_utc;
  std::vector<RunCell> cells = {};  // of a run of scenarios; empty: it takes no part in trends
};

struct RunsPageInput {
  std::string folder;
  std::vector<RunLine> runs;
  std::string version;
};

std::string runs_page(const RunsPageInput&);

}  // namespace holdfast
