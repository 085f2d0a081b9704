// What is put side by side: every lock with every choice of settings, and the scenario that each then has.
//
//   variants_of({"upsert_lease,upsert_lease+found_rows"}, {"lease_ms=500,1000"})    // four of them
//   variant_scenario(load_scenario("scenarios/quick/pause.json"), variant, false)
//
// A setting is a key of a scenario file and its value: `lease_ms=500` (also `load.lease_ms`),
// `server.redis_persistence= aof_always`, `faults.0.for_ms=3000`, `hold_ms=[100,200]`. All variants get the same load:
// of what a scenario has for single locks (`per_lock`) only the faults are taken, since they say where the dangerous
// moment is; unless the scenario is asked for as it is written. Expectations are dropped: a comparison has none.
//
// Pure: no clock and no file.
#pragma once

#include <string>
#include <vector>

#include "artifact/comparison.hpp"
#include "artifact/scenario.hpp"

namespace holdfast {

// `locks`: words of the command line, each one or several names with commas between. `settings`: KEY=VALUE,VALUE.
// Throws BadInput: an unknown lock, a duplicate variant, a setting without a value.
std::vector<ComparedVariant> variants_of(const std::vector<std::string>& locks,
                                         const std::vector<std::string>& settings);

// Its name is SUITE/NAME, and all variants' trials have the same seeds. Throws BadInput, which names the setting.
Scenario variant_scenario(const Scenario& base, const ComparedVariant& variant, bool as_written);

// Sets the value at a path of keys and positions, "faults.0.step_ms"; what is missing on the way is made.
void set_value(JsonNode& root, const std::string& path, JsonNode value);

// The value of a setting as typed: JSON, or else a word.
JsonNode value_of(const std::string& key, const std::string& text);

}  // namespace holdfast
