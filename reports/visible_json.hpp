// The one place where text becomes JSON for people, in the page or a trace viewer: every text in it is made visible
// (visible.hpp), whatever its source. Keys are literals. JSON for programs keeps its texts unchanged.
//
//   visible_json({{"key", "a\x1b[2J"}})   -> {"key":"a\\x1B[2J"}
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace holdfast {

std::string visible_json(nlohmann::json json);
std::string visible_json(nlohmann::ordered_json json);

}  // namespace holdfast
