// What an exploration leaves in its folder: verdict.json and report.html as any run has them, and each find as a
// scenario.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "artifact/run_verdict.hpp"

namespace holdfast {

// What explore found, as a scenario for real client processes: the fault `schedule` makes them follow the same words.

struct ExportedSchedule {
  std::string scenario;  // JSON text; empty: it cannot be exported, and
  std::string why_not;   // for people
};

// Both as in explored.json.
ExportedSchedule scenario_of(const nlohmann::json& result, const nlohmann::json& violation);

// The property that an invariant is about.
std::string property_of(const std::string& invariant);

// What made a violation possible, in the words of the faults that client processes meet.
std::string kind_of_find(const nlohmann::json& violation);

// What an exploration leaves in its folder: verdict.json and report.html as any run has them, one cell a lock in the
// column `explore`, and a replay file for each violation.

// Each invariant becomes the property that it breaks: two_holders is lease_exclusion, two_naive_holders is
// mutual_exclusion:overrun, foreign_release, foreign_renew and lost_inside_lease are ownership, stuck is progress,
// token_order is fencing.
RunVerdict explored_verdict(const nlohmann::json& results);

// The exit code that results alone give.
int code_of_results(const nlohmann::json& results);

// All that lies in the folder but the results themselves and the replay files. verdict.json is written last: a folder
// without it is incomplete.
void write_explored(RunVerdict& verdict, const std::string& folder);

// How far it was searched and within which bounds, and what was not: part of every verdict of explore.
std::string searched_text(const nlohmann::json& result);
std::string not_explored_text(const nlohmann::json& result);

// Path of the replay file of one violation, in the folder.
std::string replay_path(const std::string& folder, const nlohmann::json& result, const nlohmann::json& violation);
// The same as a scenario for `run`, where real processes can follow it.
std::string scenario_path(const std::string& folder, const nlohmann::json& result, const nlohmann::json& violation);

void write_replays(const std::string& folder, const nlohmann::json& results);

}  // namespace holdfast
