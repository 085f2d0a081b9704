#include "servers/server_type.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "artifact/error.hpp"
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

const Topology* ServerType::topology(const std::string& name) const {
  const auto found =
      std::find_if(topologies.begin(), topologies.end(), [&](const Topology& t) { return t.name == name; });
  return found == topologies.end() ? nullptr : &*found;
}

std::string ServerType::missing() const {
  if (*without == '\0') {
    const std::string why = library_missing != nullptr ? library_missing() : "";
    return why.empty() ? "" : std::string(title) + ": " + why;
  }
  return std::string(title) + ": this program was built without " + without + "; remedy: " + set_up;
}

std::vector<std::string> ServerType::variant_names() const {
  std::vector<std::string> out;
  for (const auto& variant : variants) out.push_back(variant.name);
  return out;
}

const ServerType& server_type(const std::string& name) {
  if (const ServerType* found = find_entry(server_types(), name)) return *found;
  throw HarnessError("there is no kind of server '" + name + "'");
}

const ServerType& resource_type(const ServerType& of_lock) {
  if (of_lock.holds_resource()) return of_lock;
  for (const auto& [name, type] : server_types()) {
    if (type->holds_resource()) return *type;
  }
  throw HarnessError("no kind of server can hold the protected resource");
}

std::vector<std::string> topology_names() {
  std::vector<std::string> out;
  for (const auto& [name, type] : server_types()) {
    for (const auto& topology : type->topologies) {
      if (std::find(out.begin(), out.end(), topology.name) == out.end()) out.emplace_back(topology.name);
    }
  }
  return out;
}

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
