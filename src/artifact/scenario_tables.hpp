// The tables of all keys of a scenario, each key declared once: what it may be, what it means, how it is
// read and written. The reader of scenarios and plans, the schema and the tables of docs/scenario.md come from them.
//
//   read_keys(coverage_keys(), in, minima);
//   schema["properties"] = properties_of(load_keys());
//
// The keys of a kind of server, and of a fault, are declared by those (server_type.hpp, fault.hpp).
#pragma once

#include <vector>

#include "artifact/json_key.hpp"
#include "artifact/scenario.hpp"

namespace holdfast {

const std::vector<JsonKey<Load>>& load_keys();
const std::vector<JsonKey<ServerSettings>>& server_keys();
const std::vector<JsonKey<CoverageMinima>>& coverage_keys();
const std::vector<JsonKey<FaultSpec>>& fault_keys();  // that every fault has
const std::vector<JsonKey<PairedControl>>& control_keys();
const std::vector<JsonKey<Scenario>>& scenario_keys();  // besides those of its load, of its server and these:
const std::vector<JsonKey<Scenario>>& lock_settings_keys();

// The definitions that the schemas of values point to, but for `lock`, `phase` and `faults`: their words are in
// catalogues.
Schema scenario_definitions();
void add_load_definitions(Schema& definitions);

}  // namespace holdfast
