#include "servers/server_type.hpp"

#include <algorithm>

#include "artifact/error.hpp"

namespace holdfast {

const Topology* ServerType::topology(const std::string& name) const {
  const auto found =
      std::find_if(topologies.begin(), topologies.end(), [&](const Topology& t) { return t.name == name; });
  return found == topologies.end() ? nullptr : &*found;
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

}  // namespace holdfast
