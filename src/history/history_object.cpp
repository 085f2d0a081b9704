#include "artifact/json_reader.hpp"
#include "history/history_fields.hpp"

namespace holdfast {

nlohmann::json parse_history_object(std::string_view text) {
  try {
    nlohmann::json object = parse_json(text);
    if (!object.is_object()) throw BadInput("expected an object");
    return object;
  } catch (const JsonRefusal& refused) {
    if (refused.column == 0) throw BadInput((refused.path.empty() ? "" : refused.path + ": ") + refused.why);
    throw BadInput("broken JSON at column " + std::to_string(refused.column) + "; a history has one object a line");
  }
}

}  // namespace holdfast
