// The keys of a scenario, and of an adapter's lock.json, as tables, in Markdown: what each may be, what it is where it
// is absent, what it means.
//
//   print_file(key_page(scenario_schema()));
//   print_file(manifest_page(manifest_schema()));
//
// Everything in them comes from the schema, and so from the tables of keys; docs/scenario.md ends with the one text,
// and docs/adapters.md has the other.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace holdfast {

std::string key_page(const nlohmann::ordered_json& schema);
std::string manifest_page(const nlohmann::ordered_json& schema);

}  // namespace holdfast
