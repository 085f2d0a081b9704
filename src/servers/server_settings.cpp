#include "servers/server_settings.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "artifact/json_reader.hpp"

namespace holdfast {
namespace {

std::vector<std::string> names_of(const ServerType& type) {
  std::vector<std::string> out;
  const auto schema = parse_json(type.settings, "settings of a kind of server");
  for (const auto& [name, value] : schema.items()) out.push_back(name);
  return out;
}

bool contains(const std::vector<std::string>& all, const std::string& name) {
  return std::find(all.begin(), all.end(), name) != all.end();
}

}  // namespace

JsonNode settings_for(const ServerType& type, const ServerSettings& settings) {
  const auto names = names_of(type);
  JsonNode out;
  out.kind = JsonNode::Kind::object;
  for (const JsonMember& member : settings.own) {
    if (contains(names, member.name)) out.members.push_back(member);
  }
  return out;
}

void check_server_settings(const ServerSettings& settings) {
  std::vector<std::string> known;
  for (const auto& [kind, type] : server_types()) {
    for (auto& name : names_of(*type)) known.push_back(std::move(name));
  }
  for (const JsonMember& member : settings.own) {
    if (!contains(known, member.name)) member.value.refuse(unknown_word("key", member.name, known));
  }
  for (const auto& [kind, type] : server_types()) {
    if (type->check != nullptr) type->check(settings);
  }
}

}  // namespace holdfast
