// What an exploration leaves in its folder: verdict.json and report.html as any run has them, and each find as a
// scenario.
#pragma once

#include <string>
#include <vector>

#include "artifact/run_verdict.hpp"
#include "explore/explore_result.hpp"

namespace holdfast {

// What explore found, as a scenario for real client processes: the fault `schedule` makes them follow the same words.

struct ExportedSchedule {
  std::string scenario;  // JSON text; empty: it cannot be exported, and
  std::string why_not;   // for people
};

ExportedSchedule scenario_of(const ExploreResult& result, const ExploreFind& find);

// The property that an invariant is about.
std::string property_of(const std::string& invariant);

// What made a violation possible, in the words of the faults that client processes meet.
std::string kind_of_find(const ExploreFind& find);

// What an exploration leaves in its folder: verdict.json and report.html as any run has them, one cell a lock in the
// column `explore`, and a replay file for each violation.

// Each invariant becomes the property that it breaks: two_holders is lease_exclusion, two_naive_holders is
// mutual_exclusion:overrun, foreign_release, foreign_renew and lost_inside_lease are ownership, stuck is progress,
// token_order is fencing.
RunVerdict explored_verdict(const std::vector<ExploreResult>& results);

// The exit code that results alone give.
int code_of_results(const std::vector<ExploreResult>& results);

// All that lies in the folder but the results themselves and the replay files. verdict.json is written last: a folder
// without it is incomplete.
void write_explored(RunVerdict& verdict, const std::string& folder);

// How far it was searched and within which bounds, and what was not: part of every verdict of explore.
std::string searched_text(const ExploreResult& result);
std::string not_explored_text(const ExploreResult& result);

// Path of the replay file of one violation, in the folder.
std::string replay_path(const std::string& folder, const ExploreResult& result, const ExploreFind& find);
// The same as a scenario for `run`, where real processes can follow it.
std::string scenario_path(const std::string& folder, const ExploreResult& result, const ExploreFind& find);

void write_replays(const std::string& folder, const std::vector<ExploreResult>& results);

// What the shards of a search have in common.
struct SearchAsked {
  std::string within;
  std::uint64_t seed = 0;
  std::vector<ExploreJob> jobs;  // of all shards

  static const JsonForm<SearchAsked>& form();
};

}  // namespace holdfast
