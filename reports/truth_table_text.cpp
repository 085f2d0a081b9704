// How the truth table is printed: for a terminal, as Markdown, as JSON.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "reports/markdown_text.hpp"
#include "reports/truth_table.hpp"
#include "reports/visible.hpp"

namespace holdfast {
namespace {

using Columns = std::array<std::string, 6>;

const Columns kHead{"lock", "fault", "as expected", "expected", "seen", "scenarios"};

Columns columns_of(const TruthRow& row) {
  std::string scenarios;
  for (const auto& name : row.scenarios) scenarios += (scenarios.empty() ? "" : ", ") + name;
  return {visible(row.lock),
          visible(row.fault),
          fmt::format("{} of {}", row.as_expected, row.trials),
          visible(expected_words(row)),
          visible(seen_words(row)),
          visible(scenarios)};
}

}  // namespace

std::string table_text(const std::vector<TruthRow>& rows) {
  std::string out;
  std::string lock;
  for (const auto& row : rows) {
    const Columns words = columns_of(row);
    if (row.lock != lock) out += fmt::format("{}{}\n", out.empty() ? "" : "\n", words[0]);
    lock = row.lock;
    const char* sign = row.as_expected == row.trials ? " " : "!";
    out += fmt::format("{} {}  {} as expected  ({})\n", sign, words[1], words[2], words[5]);
    if (words[3] == words[4]) {
      out += fmt::format("    expected and seen: {}\n", words[3]);
    } else {
      out += fmt::format("    expected: {}\n    seen:     {}\n", words[3], words[4]);
    }
  }
  return out.empty() ? "no trial ran\n" : out;
}

std::string table_markdown(const std::vector<TruthRow>& rows) {
  std::string out;
  for (const auto& name : kHead) out += "| " + name + " ";
  out += "|\n|---|---|---|---|---|---|\n";
  for (const auto& row : rows) {
    for (const auto& words : columns_of(row)) out += "| " + prose(words) + " ";
    out += "|\n";
  }
  return out;
}

nlohmann::json table_json(const std::vector<TruthRow>& rows) {
  nlohmann::json out{{"holdfast_table", 1}, {"rows", nlohmann::json::array()}};
  for (const auto& row : rows) {
    out["rows"].push_back({{"lock", row.lock},
                           {"fault", row.fault},
                           {"scenarios", row.scenarios},
                           {"expected", row.expected},
                           {"seen", row.seen},
                           {"as_expected", row.as_expected},
                           {"trials", row.trials}});
  }
  return out;
}

}  // namespace holdfast
