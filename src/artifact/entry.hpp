// One entry of a generated catalogue: the stem of its file and the object the file defines (cmake/Catalogue.cmake).
#pragma once

#include <string>
#include <vector>

namespace holdfast {

template <typename Type>
struct Entry {
  std::string name;
  const Type* type = nullptr;
};

template <typename Type>
const Type* find_entry(const std::vector<Entry<Type>>& all, const std::string& name) {
  for (const auto& entry : all) {
    if (entry.name == name) return entry.type;
  }
  return nullptr;
}

template <typename Type>
std::vector<std::string> entry_names(const std::vector<Entry<Type>>& all) {
  std::vector<std::string> names;
  names.reserve(all.size());
  for (const auto& entry : all) names.push_back(entry.name);
  return names;
}

}  // namespace holdfast
