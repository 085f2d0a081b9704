#include "history/not_a_history.hpp"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "artifact/error.hpp"
#include "artifact/json_reader.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kMostLookedAt = std::size_t{1} << 20;

// Parses a small file that is one JSON object; otherwise returns a value that is not an object.
nlohmann::json object_in(const std::string& text) {
  if (text.size() > kMostLookedAt || text.find('{') == std::string::npos) return nullptr;
  try {
    return parse_json(text);
  } catch (const JsonRefusal&) {
    return nullptr;
  }
}

std::string what_it_is(const std::string& path, const nlohmann::json& object) {
  const auto has = [&object](const char* key) { return object.contains(key); };
  if (has("holdfast_run") || has("cells")) {
    return "describes a run, in which each trial has a history; remedy: holdfast check RUN/cells/LOCK/SCENARIO/1";
  }
  if (has("holdfast_verdict")) return "is a verdict; remedy: give the history.jsonl in the same folder";
  if (has("holdfast_plan")) return "is a plan; remedy: give the history.jsonl in the same folder";
  if (has("locks") || has("faults")) return "is a scenario, not a history; remedy: holdfast run " + path;
  if (has("resourceSpans")) return "has its spans on several lines; remedy: one request per line, as jq -c . " + path;
  if (has("command") && has("name")) {
    return "is the manifest of a lock, not a history; remedy: holdfast try " +
           std::filesystem::absolute(path).parent_path().string();
  }
  return "is a single JSON object; a history has one event per line, or is an array of events (docs/history.md)";
}

// Number of files in a folder with this extension.
std::ptrdiff_t count_of(const std::string& folder, const char* extension) {
  std::error_code none;
  const std::filesystem::directory_iterator files(folder, none);
  return std::count_if(begin(files), end(files),
                       [extension](const auto& file) { return file.path().extension() == extension; });
}

}  // namespace

void refuse_other_json(const InputFile& file) {
  const std::string text = file.start(kMostLookedAt + 1);
  const nlohmann::json object = object_in(text);
  if (!object.is_object()) return;
  const bool is_event = object.contains("process") || object.contains("holdfast_history") || object.contains("type");
  const auto last = text.find_last_not_of(" \t\r\n");
  if (is_event && text.find('\n') >= last) return;  // a history of one line, valid or not
  throw BadInput(file.path() + ": " + what_it_is(file.path(), object));
}

std::string why_no_history(const std::string& folder) {
  if (std::filesystem::exists(folder + "/cells") && std::filesystem::exists(folder + "/run.json")) {
    return "is a run's folder, in which each trial has a history; remedy: holdfast check " + folder +
           "/cells/LOCK/SCENARIO/1";
  }
  if (count_of(folder, ".jsonl") > 0) {
    return "is a folder of logs; remedy: holdfast check " + folder + "/*.jsonl --merge, if the logs belong to one run";
  }
  if (count_of(folder, ".json") > 0)
    return "has JSON files, but no history; remedy: for scenarios, holdfast run " + folder;
  return "has no journals (*.journal)";
}

}  // namespace holdfast
