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
#include "cli/command.hpp"
#include "cli/stored.hpp"
#include "reports/durations.hpp"
#include "reports/lock_answer.hpp"
#include "reports/sentence.hpp"
#include "soak/soak.hpp"

namespace holdfast {
namespace {

namespace fs = std::filesystem;

constexpr std::array kResults{"verdict.json", "compare.json", "envelope.json", "curve.json", "soak.json", "run.json"};

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

std::string text_at(const nlohmann::json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : "";
}

// A replay repeats a plan because of its result, so it is no part of a trend.
bool is_replay(const std::string& folder) {
  const RunDirectory at(folder);
  if (!at.has("run.json")) return false;
  const nlohmann::json order = parse_json(at.read("run.json", kMostOfRun), at.path_of("run.json"));
  return order.is_object() && !text_at(order, "replay_of").empty();
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
  if (is_replay(folder)) return out;
  for (const auto& cell : run.cells) out.cells.push_back(run_cell(cell));
  return out;
}

// "2026-11-29T07:50:29Z" of "20261129T075029Z-cNnbrS"; empty: not a name that holdfast gives.
std::string start_in_name(const std::string& folder) {
  static constexpr std::string_view kForm = "00000000T000000Z-";
  if (folder.size() < kForm.size()) return "";
  for (std::size_t i = 0; i < kForm.size(); ++i) {
    const bool digit = folder[i] >= '0' && folder[i] <= '9';
    if (kForm[i] == '0' ? !digit : folder[i] != kForm[i]) return "";
  }
  const auto part = [&folder](std::size_t at, std::size_t size) { return folder.substr(at, size); };
  return fmt::format("{}-{}-{}T{}:{}:{}Z", part(0, 4), part(4, 2), part(6, 2), part(9, 2), part(11, 2), part(13, 2));
}

// A soak's trials are random, so it has finds, but no cells with a trend.
RunLine line_of_soak(const RunDirectory& at) {
  constexpr std::size_t kMost = 3;
  const auto soak = read_json_text(at.read("soak.json", kMostOfRun), at.path_of("soak.json"), from_json<SoakResult>);
  const SoakState& state = soak.state;
  const int code = exit_code_of(state);
  RunLine out;
  out.page = "soak.json";
  out.word = "SOAK";
  const auto finds = static_cast<std::int64_t>(state.finds.size());
  out.tone = finds > 0 ? "fail" : code == kExitAsExpected ? "pass" : "open";
  out.claim = finds == 0 ? "nothing found" : plural(finds, "find", "finds");
  for (std::size_t i = 0; i < std::min(kMost, state.finds.size()); ++i) {
    const SoakFind& find = state.finds[i];
    out.claim += fmt::format("{}{} {} violated:{}", i == 0 ? ": " : "; ", find.lock, find.property, find.kind);
  }
  if (state.finds.size() > kMost) out.claim += fmt::format("; and {} more", state.finds.size() - kMost);
  if (state.interrupted) out.claim += "; interrupted";
  if (state.harness_errors > 0) out.claim += "; " + plural(state.harness_errors, "trial failed", "trials failed");
  out.what = soak.command;
  out.circumstances =
      fmt::format("{}{} of {} judged · seed {} · {}", state.server.empty() ? "" : state.server + " · ", state.judged,
                  plural(state.trials, "trial", "trials"), soak.seed, wall_text(soak.seconds));
  return out;
}

// Reads only what the list needs from a comparison, an envelope or a curve, whatever else the file contains.
RunLine line_of_result(const RunDirectory& at, const char* file) {
  const std::string name = std::string(file).substr(0, std::string_view(file).find('.'));
  const bool compared = name == "compare";
  const nlohmann::json json = parse_json(at.read(file, kMostOfRun), at.path_of(file));
  if (!json.is_object()) throw BadInput(at.path_of(file) + ": expected an object");
  const std::string page = name + ".html";
  RunLine out;
  out.page = at.has(page) ? page : "";
  out.word = compared ? "COMPARED" : name == "curve" ? "CURVE" : "ENVELOPE";
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
    if (std::string_view(file) == "soak.json") return line_of_soak(RunDirectory(folder));
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
    if (line.started_utc.empty()) line.started_utc = start_in_name(line.folder);
    out.runs.push_back(std::move(line));
  }
  return out;
}

}  // namespace holdfast
