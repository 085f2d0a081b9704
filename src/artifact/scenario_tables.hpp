// Tables of all keys of a scenario, each declared once: allowed values, meaning, reading and writing. The readers of
// scenarios and plans, the schema and the tables of docs/scenario.md are made from them.
//
//   read_keys(coverage_keys(), in, minima);
//   schema["properties"] = properties_of(load_keys());
//
// The keys of a kind of server, and of a fault, are declared there (server_type.hpp, fault.hpp).
#pragma once

#include <vector>

#include "artifact/json_key.hpp"
#include "artifact/scenario.hpp"

namespace holdfast {

const std::vector<JsonKey<Load>>& load_keys();
const std::vector<JsonKey<ServerSettings>>& server_keys();
const std::vector<JsonKey<CoverageMinima>>& coverage_keys();
const std::vector<JsonKey<FaultSpec>>& fault_keys();  // keys that every fault has
const std::vector<JsonKey<PairedControl>>& control_keys();
const std::vector<JsonKey<Scenario>>& scenario_keys();  // besides those of the load and the server, and these:
const std::vector<JsonKey<Scenario>>& lock_settings_keys();

// Definitions that the schemas of values point to, except `lock`, `phase` and `faults`, whose words come from
// catalogues.
Schema scenario_definitions();
void add_load_definitions(Schema& definitions);

}  // namespace holdfast
