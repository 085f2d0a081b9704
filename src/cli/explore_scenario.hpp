// What explore found, as a scenario for real client processes: the fault `schedule` makes them follow the same words.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace holdfast {

struct ExportedSchedule {
  std::string scenario;  // JSON text; empty: it cannot be exported, and
  std::string why_not;   // for people
};

// Both as in explored.json.
ExportedSchedule scenario_of(const nlohmann::json& result, const nlohmann::json& violation);

// The property that an invariant is about.
std::string property_of(const std::string& invariant);

}  // namespace holdfast
