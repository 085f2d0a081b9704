#include "reports/visible_json.hpp"

#include <nlohmann/json.hpp>

#include "artifact/json_text.hpp"
#include "artifact/visible.hpp"
#include "reports/workflow_commands.hpp"

namespace holdfast {
namespace {

template <typename Json>
void make_visible(Json& json) {
  if (json.is_string()) {
    json = visible(json.template get_ref<const std::string&>());
  } else if (json.is_structured()) {
    for (auto& value : json) make_visible(value);
  }
}

template <typename Json>
std::string visible_dump(Json& json) {
  make_visible(json);
  return without_commands_in_json(text_of_json(json));
}

}  // namespace

std::string visible_json(nlohmann::json json) {
  return visible_dump(json);
}

std::string visible_json(nlohmann::ordered_json json) {
  return visible_dump(json);
}

}  // namespace holdfast
