#include "cli/runs_index.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string_view>

#include "artifact/error.hpp"
#include "artifact/json_reader.hpp"
#include "artifact/run_directory.hpp"
#include "artifact/run_verdict.hpp"
#include "cli/stored.hpp"
#include "reports/lock_answer.hpp"
#include "reports/sentence.hpp"

namespace holdfast {
namespace {

namespace fs = std::filesystem;

constexpr std::array kResults{"verdict.json", "compare.json", "envelope.json", "run.json"};

// Name of the file that identifies a folder of results; null: another folder.
const char* result_in(const std::string& folder) {
  try {
    const RunDirectory at(folder);
    for (const char* name : kResults) {
      if (at.has(name)) return name;
    }
  } catch (const BadInput&) {
    return nullptr;  // unreadable, or a link on the way: not written by holdfast
  }
  return nullptr;
}

std::string listed_locks(const RunVerdict& run) {
  constexpr std::size_t kMost = 3;
  const std::size_t shown = std::min(run.locks.size(), kMost);
  std::string out = fmt::format("{}", fmt::join(run.locks.begin(), run.locks.begin() + static_cast<long>(shown), ", "));
  if (run.locks.size() > shown) out += fmt::format(" and {} more", run.locks.size() - shown);
  return run.suite.empty() ? out : run.suite + ": " + out;
}

RunLine line_of_run(const std::string& folder) {
  const RunVerdict run = stored_run(folder);
  const RunAssessment found = assess(run);
  const Sentence parts = sentence_parts(found);
  RunLine out;
  out.page = "report.html";
  out.word = parts.word;
  out.claim = parts.claim;
  if (const std::string answer = answer_of(found); !answer.empty()) out.claim = answer + " (" + parts.claim + ")";
  out.tone = parts.tone;
  out.what = listed_locks(run);
  out.circumstances = parts.circumstances;
  out.started_utc = run.started_utc;
  return out;
}

std::string text_at(const nlohmann::json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : "";
}

// Reads only what the list needs from a comparison or an envelope, whatever else the file contains.
RunLine line_of_result(const RunDirectory& at, const char* file) {
  const bool compared = std::string_view(file) == "compare.json";
  const nlohmann::json json = parse_json(at.read(file, kMostOfRun), at.path_of(file));
  if (!json.is_object()) throw BadInput(at.path_of(file) + ": expected an object");
  const char* page = compared ? "compare.html" : "envelope.html";
  RunLine out;
  out.page = at.has(page) ? page : "";
  out.word = compared ? "COMPARED" : "ENVELOPE";
  const auto code = json.find("exit_code");
  const bool fresh = compared && code != json.end() && code->is_number_integer() && code->get<std::int64_t>() == 1;
  if (fresh) out.tone = "fail";
  out.claim = fresh ? "violations that the baseline does not have" : "";
  out.what = text_at(json, "command");
  out.circumstances = text_at(json, "server");
  out.started_utc = text_at(json, "started_utc");
  return out;
}

RunLine line_of(const std::string& folder, const char* file) {
  try {
    if (std::string_view(file) == "verdict.json") return line_of_run(folder);
    if (std::string_view(file) != "run.json") return line_of_result(RunDirectory(folder), file);
  } catch (const BadInput& broken) {
    RunLine out;
    out.word = "?";
    out.claim = broken.what();
    out.tone = "open";
    return out;
  }
  RunLine out;
  out.word = "NOT COMPLETE";
  out.claim = "the run did not finish";
  out.tone = "open";
  return out;
}

}  // namespace

bool holds_runs(const std::string& folder) {
  std::error_code none;
  if (!fs::is_directory(folder, none) || result_in(folder) != nullptr) return false;
  for (const auto& entry : fs::directory_iterator(folder, none)) {
    const bool real = !entry.is_symlink(none) && entry.is_directory(none);
    if (real && result_in(entry.path().string()) != nullptr) return true;
  }
  return false;
}

RunsPageInput runs_in(const std::string& folder) {
  RunsPageInput out{folder, {}, HOLDFAST_VERSION};
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none)) {
    if (entry.is_symlink(none) || !entry.is_directory(none)) continue;
    const std::string path = entry.path().string();
    const char* file = result_in(path);
    if (file == nullptr) continue;
    RunLine line = line_of(path, file);
    line.folder = entry.path().filename().string();
    out.runs.push_back(std::move(line));
  }
  return out;
}

}  // namespace holdfast
