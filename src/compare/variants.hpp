// Variants of a comparison: every lock with every choice of settings, and its scenario.
//
//   variants_of({"upsert_lease,upsert_lease+found_rows"}, {"lease_ms=500,1000"})    // four variants
//   variant_scenario(load_scenario("scenarios/quick/pause.json"), variant, false)
//
// A setting is a key of a scenario file with its value: `lease_ms=500` (or `load.lease_ms`),
// `server.redis_persistence=aof_always`, `faults.0.for_ms=3000`, `hold_ms=[100,200]`. All variants have the same load:
// of the settings for single locks (`per_lock`) only faults are used, because they define the dangerous moment, unless
// the caller requests the scenario as written. Expectations are dropped.
//
// Pure: no clock and no file.
#pragma once

#include <string>
#include <vector>

#include "artifact/comparison.hpp"
#include "artifact/scenario.hpp"

namespace holdfast {

// `locks`: command-line words, each one or several comma-separated names. `settings`: KEY=VALUE,VALUE. Throws BadInput
// for an unknown lock, a duplicate variant, or a setting without a value.
std::vector<ComparedVariant> variants_of(const std::vector<std::string>& locks,
                                         const std::vector<std::string>& settings);

// The scenario is named SUITE/NAME, and trials of all variants have the same seeds. Throws BadInput with the setting's
// name.
Scenario variant_scenario(const Scenario& base, const ComparedVariant& variant, bool as_written);

// Sets the value at a path of keys and indices, "faults.0.step_ms", creating missing parts.
void set_value(JsonNode& root, const std::string& path, JsonNode value);

// Parses the value of a setting: JSON, otherwise a word.
JsonNode value_of(const std::string& key, const std::string& text);

}  // namespace holdfast
