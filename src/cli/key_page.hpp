// The keys of a scenario as tables, in Markdown: what each may be, what it is where it is absent, what it means.
//
//   print_file(key_page(scenario_schema()));
//
// Everything in them comes from the schema, and so from the tables of keys; the end of docs/scenario.md is its text.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace holdfast {

std::string key_page(const nlohmann::ordered_json& schema);

}  // namespace holdfast
