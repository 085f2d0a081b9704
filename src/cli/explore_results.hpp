// The files of an exploration: verdict.json and report.html as for any run, and each find as a scenario.
#pragma once

#include <string>
#include <vector>

#include "artifact/run_verdict.hpp"
#include "explore/explore_result.hpp"

namespace holdfast {

// A find as a scenario for real client processes: the fault `schedule` makes them follow the same words.

struct ExportedSchedule {
  std::string scenario;  // JSON text; empty: it cannot be exported
  std::string why_not;   // reason, for display
};

ExportedSchedule scenario_of(const ExploreResult& result, const ExploreFind& find);

// The property that an invariant belongs to.
std::string property_of(const std::string& invariant);

// The cause of a violation, in the words of the faults that strike client processes.
std::string kind_of_find(const ExploreFind& find);

// Builds the verdict of an exploration as for any run: one cell per lock in the column `explore`, and a replay file for
// each violation.

// Each invariant maps to the property it violates: two_holders is lease_exclusion, two_naive_holders is
// mutual_exclusion:overrun, foreign_release, foreign_renew and lost_inside_lease are ownership, stuck is progress,
// token_order is fencing.
RunVerdict explored_verdict(const std::vector<ExploreResult>& results);

// The exit code for these results.
int code_of_results(const std::vector<ExploreResult>& results);

// Writes all files of the folder except the results and replay files. verdict.json is last: a folder without it is
// incomplete.
void write_explored(RunVerdict& verdict, const std::string& folder);

// The extent of the search, its bounds, and what it left out; part of every verdict of explore.
std::string searched_text(const ExploreResult& result);
std::string not_explored_text(const ExploreResult& result);

// Path of the replay file of one violation, in the folder.
std::string replay_path(const std::string& folder, const ExploreResult& result, const ExploreFind& find);
// The same as a scenario for `run`, if real processes can follow it.
std::string scenario_path(const std::string& folder, const ExploreResult& result, const ExploreFind& find);

void write_replays(const std::string& folder, const std::vector<ExploreResult>& results);

// Settings common to all shards of a search.
struct SearchAsked {
  std::string within;
  std::uint64_t seed = 0;
  std::vector<ExploreJob> jobs;  // of all shards

  static const JsonForm<SearchAsked>& form();
};

}  // namespace holdfast
