// The report: one HTML file with everything in it, that opens offline and reads without scripts or style sheets.
//
//   PageInput in{run, {{"insert_lease/pause/1", trial_verdict}}, {{"kernel", "6.1"}}};
//   write_text_file("report.html", html_page(in));
//
// It holds the sentence, the matrix, a picture of the gravest finding with its story and the command that repeats it,
// the faults that were proved, a section for each cell (its address is #LOCK/SCENARIO) and the environment. Every text
// is untrusted and escaped; the page forbids itself scripts and any loading. It is also well-formed XML. It does not
// read files: trials whose full verdict is not given have no timeline.
#pragma once

#include <map>
#include <string>

#include "artifact/run_verdict.hpp"

namespace holdfast {

struct PageInput {
  RunVerdict run;
  std::map<std::string, TrialVerdict> trials;  // with timelines, by TrialResult.folder
  std::map<std::string, std::string> environment;
};

std::string html_page(const PageInput&);

}  // namespace holdfast
