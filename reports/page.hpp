// The report: one HTML file with everything in it, that opens offline and reads without scripts or style sheets.
//
//   PageFiles files{{{"insert_lease/pause/1", trial_verdict}}, {{"kernel", "6.1"}}};
//   files.packed["insert_lease/pause/1"] = packed_trial(history, trial_verdict);
//   const RunAssessment found = assess(run);
//   write_text_file("report.html", html_page({files, found}));
//
// It holds the head (reports/page_head.hpp), the matrix, a picture of the most severe finding with its story and the
// command that repeats it, the faults that were proved, a section for each cell (its address is #LOCK/SCENARIO) and the
// environment. If scripts may run (build servers block them) they turn each picture into one that can be searched and
// zoomed, from the trial's packed events. Those of the most severe cells come first, until the page reaches its size
// limit (kLargestPage); the others keep their still picture and say so. Every text is untrusted and escaped; the page's
// policy forbids any loading, and any script or style except its own. It is also well-formed XML. It does not read
// files: trials whose full verdict is not given have no timeline.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "reports/assessment.hpp"
#include "reports/explored_find.hpp"
#include "reports/html.hpp"
#include "reports/packed_text.hpp"
#include "reports/sent_statements.hpp"
#include "reports/trial_plots.hpp"

namespace holdfast {

inline constexpr std::size_t kLargestPage = 1'980'000;  // bytes; larger only when the words and pictures alone are

// Parts of a run's folder that a page shows besides the verdict.
struct PageFiles {
  std::map<std::string, TrialVerdict> trials;  // with timelines, by TrialResult.folder
  std::map<std::string, std::string> environment;
  std::map<std::string, PackedText> packed;     // packed_trial(), by folder
  std::map<std::string, std::string> unpacked;  // reasons for missing events, by folder
  std::map<std::string, std::string> instead;   // a replacement for a lock, by Cell.lock; code in backticks
  std::map<std::string, std::vector<ExploredFind>> explored;  // finds of a search, by Cell.lock
  std::map<std::string, std::vector<SentStatement>> sent;     // statements of violations' operations, by folder
  std::map<std::string, TrialCounts> counts;                  // for the trials' plots, by folder
};

struct PageInput : PageFiles {
  const RunAssessment& found;
};

std::string html_page(const PageInput&);

// The trials that have a picture, the most severe first: whose events are worth packing.
std::vector<const TrialResult*> pictured_trials(const RunAssessment&);

}  // namespace holdfast
