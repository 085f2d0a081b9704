// The one place where text becomes JSON that people look at, through the page or a trace viewer: every text in it is
// made visible (visible.hpp), whoever put it there. Keys are ours. What programs read keeps its texts as they are.
//
//   visible_json({{"key", "a\x1b[2J"}})   -> {"key":"a\\x1B[2J"}
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace holdfast {

std::string visible_json(nlohmann::json json);
std::string visible_json(nlohmann::ordered_json json);

}  // namespace holdfast
