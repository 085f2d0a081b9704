// report.sarif (SARIF 2.1.0), as GitHub's code scanning and editors read it: a result for each cell that was not as
// expected, at the lock's file and line. The rules are the properties, and the outcomes without a violation. A lock of
// holdfast's own has no file in the user's sources; its results name the trial's verdict, below the run's folder (RUN).
#include <algorithm>
#include <nlohmann/json.hpp>

#include "artifact/error.hpp"
#include "reports/format.hpp"
#include "reports/outcome_words.hpp"
#include "reports/review_results.hpp"
#include "reports/visible_json.hpp"

namespace holdfast {
namespace {

using Json = nlohmann::ordered_json;

const char* level_word(ReviewLevel level) {
  if (level == ReviewLevel::notice) return "note";
  return level == ReviewLevel::warning ? "warning" : "error";
}

// A path as a relative reference: other characters than the unreserved ones and the slash are percent-encoded.
std::string uri_of(const std::string& path) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
  std::string out;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if (kPlain.find(c) != std::string_view::npos) {
      out += c;
    } else {
      out += {'%', kDigits[byte >> 4U], kDigits[byte & 15U]};
    }
  }
  return out;
}

Json location_of(const ReviewResult& one) {
  const Cell& cell = *one.cell->cell;
  const Json file{{"uri", uri_of(one.place.file)}, {"uriBaseId", one.in_sources ? "%SRCROOT%" : "RUN"}};
  const std::string name = cell.lock + "/" + cell.scenario;
  return {{"physicalLocation", {{"artifactLocation", file}, {"region", {{"startLine", one.place.line}}}}},
          {"logicalLocations", Json::array({{{"fullyQualifiedName", name}, {"kind", "test"}}})}};
}

Json result_json(const RunAssessment& found, const ReviewResult& one, std::size_t rule) {
  Json out{{"ruleId", one.rule},
           {"ruleIndex", rule},
           {"level", level_word(one.level)},
           {"message", {{"text", one.sentence()}}},
           {"locations", Json::array({location_of(one)})},
           {"partialFingerprints", {{"holdfastCell/v1", one.identity}}},
           {"properties", {{"outcome", to_text(one.cell->cell->outcome)}, {"severity", to_text(one.cell->severity)}}}};
  if (!found.run.baseline.empty()) out["baselineState"] = is_known(found, *one.cell) ? "unchanged" : "new";
  return out;
}

Json rule_json(const std::string& rule) {
  return {{"id", rule}, {"name", spaced(rule)}, {"shortDescription", {{"text", rule_text(rule)}}}};
}

// The run as a call of a program: it was successful if it gave each cell a verdict.
Json invocation_of(const RunVerdict& run) {
  const bool whole = run.exit_code == kExitAsExpected || run.exit_code == kExitNotAsExpected;
  Json out{{"executionSuccessful", whole}, {"exitCode", run.exit_code}, {"commandLine", run.command}};
  if (!run.started_utc.empty()) out["startTimeUtc"] = run.started_utc;
  return out;
}

std::string sarif_of_run(const FormatInput& in) {
  const RunAssessment& found = in.page.found;
  std::vector<std::string> rules;
  auto results = Json::array();
  for (const auto& one : review_results(found, in.sources)) {
    const auto rule = std::find(rules.begin(), rules.end(), one.rule);
    const auto number = static_cast<std::size_t>(rule - rules.begin());
    if (rule == rules.end()) rules.push_back(one.rule);
    results.push_back(result_json(found, one, number));
  }
  auto described = Json::array();
  for (const auto& rule : rules) described.push_back(rule_json(rule));
  const Json driver{{"name", "holdfast"}, {"version", found.run.version}, {"rules", described}};
  const Json run{{"tool", {{"driver", driver}}},
                 {"invocations", Json::array({invocation_of(found.run)})},
                 {"columnKind", "unicodeCodePoints"},
                 {"results", results}};
  return visible_json(Json{{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                           {"version", "2.1.0"},
                           {"runs", Json::array({run})}}) +
         "\n";
}

}  // namespace

extern const FormatType format_sarif;
const FormatType format_sarif{
    .about = "SARIF 2.1, for code scanning and editors", .file = "report.sarif", .of_run = sarif_of_run};

}  // namespace holdfast
