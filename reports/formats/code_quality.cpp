// code_quality.json, as GitLab reads it (reports: codequality): the cells that were not as expected, each at the lock's
// file and line, so a merge request shows those that are new. A lock of holdfast's own has no file in the user's
// sources; its results name the trial's verdict.
#include <nlohmann/json.hpp>

#include "reports/format.hpp"
#include "reports/review_results.hpp"
#include "reports/visible_json.hpp"

namespace holdfast {
namespace {

const char* severity_word(const ReviewResult& one) {
  if (one.level == ReviewLevel::notice) return "info";
  if (one.level == ReviewLevel::warning) return "minor";
  return one.cell->severity == Severity::data_damaged ? "blocker" : "critical";
}

std::string code_quality_of_run(const FormatInput& in) {
  auto all = nlohmann::ordered_json::array();
  for (const auto& one : review_results(in.page.found, in.sources)) {
    all.push_back({{"description", one.sentence()},
                   {"check_name", one.rule},
                   {"fingerprint", one.identity},
                   {"severity", severity_word(one)},
                   {"location", {{"path", one.place.file}, {"lines", {{"begin", one.place.line}}}}}});
  }
  return visible_json(std::move(all)) + "\n";
}

}  // namespace

extern const FormatType format_code_quality;
const FormatType format_code_quality{.about = "GitLab's Code Quality report, for merge requests",
                                     .file = "code_quality.json",
                                     .of_run = code_quality_of_run};

}  // namespace holdfast
