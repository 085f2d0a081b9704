#include "cli/source_places.hpp"

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "artifact/error.hpp"
#include "artifact/json_fields.hpp"
#include "lock/lock_source.hpp"
#include "reports/cell_assessment.hpp"

namespace holdfast {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSources = "sources";

// Real paths: a link on the way to the sources must not hide that a file is below them.
std::string below(const char* top, const std::string& file) {
  std::error_code error;
  if (top == nullptr || *top == '\0') return "";
  const std::string name = fs::relative(file, top, error).generic_string();
  return !error && is_below_top(name) && name != "." ? name : "";
}

std::string name_in_sources(const std::string& file) {
  for (const char* variable : {"GITHUB_WORKSPACE", "CI_PROJECT_DIR", "WORKSPACE"}) {
    if (const std::string name = below(std::getenv(variable), file); !name.empty()) return name;
  }
  return below(".", file);
}

}  // namespace

SourcePlaces sources_of(const RunVerdict& run) {
  SourcePlaces out;
  for (const auto& cell : run.cells) {
    const std::string lock = lock_name(cell.lock);
    auto place = lock_source(lock);
    if (!place) continue;
    place->file = name_in_sources(place->file);
    if (!place->file.empty()) out[lock] = *place;
  }
  return out;
}

void store_sources(const SourcePlaces& places, nlohmann::json& environment) {
  for (const auto& [lock, place] : places) environment[kSources][lock] = to_json(place);
}

SourcePlaces stored_sources(const nlohmann::json& environment) {
  SourcePlaces out;
  if (!environment.is_object() || !environment.contains(kSources)) return out;
  if (!environment[kSources].is_object()) return out;
  for (const auto& [lock, stored] : environment[kSources].items()) {
    try {
      const auto place = from_json<SourcePlace>(stored);
      if (is_below_top(place.file) && place.line > 0) out[lock] = place;
    } catch (const BadInput&) {
      continue;
    }
  }
  return out;
}

}  // namespace holdfast
