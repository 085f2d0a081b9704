// The cells that were not as expected, for tools that show results beside a change: annotations, SARIF and Code Quality
// word the same list. The worst come first.
//
//   for (const ReviewResult& one : review_results(found, sources)) ...
//   one.rule          "mutual_exclusion"; for a cell without a violation its outcome, "undecided"
//   one.place         {"locks/my_lock.sql", 12}
//
// Pointers go into the assessment, which must stay.
#pragma once

#include <string>
#include <vector>

#include "artifact/source_place.hpp"
#include "reports/assessment.hpp"

namespace holdfast {

enum class ReviewLevel : std::uint8_t { notice, warning, error };

struct ReviewResult {
  const CellAssessment* cell = nullptr;
  ReviewLevel level = ReviewLevel::error;
  std::string rule;
  std::string title;  // "holdfast: my_lock/pause"
  std::string headline;
  std::string rerun;       // the command that runs it again
  SourcePlace place;       // of the lock; else of the trial's verdict in the run's folder
  bool in_sources = true;  // false: `place` is in the run's folder
  std::string identity;    // the same in each run of the same cell with the same rule; 32 hexadecimal digits

  // In one line, for formats in which a line end would be shown as such.
  std::string sentence() const { return headline + " · rerun: " + rerun; }
};

std::vector<ReviewResult> review_results(const RunAssessment&, const SourcePlaces&);

// One sentence about a rule: the property's summary, or the outcome's meaning.
std::string rule_text(const std::string& rule);

// True if a baseline had the result already.
bool is_known(const RunAssessment&, const CellAssessment&);

}  // namespace holdfast
