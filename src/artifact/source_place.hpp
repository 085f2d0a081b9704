// A place in a user's sources: the file of a lock, as reviewing tools name it.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "artifact/json_fields.hpp"

namespace holdfast {

struct SourcePlace {
  std::string file;  // relative to the top of the sources, with slashes
  std::int64_t line = 1;

  static const JsonForm<SourcePlace>& form();
};

// By the lock's name, without a variant.
using SourcePlaces = std::map<std::string, SourcePlace>;

// Returns true if the file's name stays below the top of the sources: it is relative and never leads upwards.
bool is_below_top(const std::string& file);

}  // namespace holdfast
